-- Of several nodes one leads: it runs the jobs that would be wasted work on the others.
CREATE TABLE "lead" (
	"id" bigint PRIMARY KEY NOT NULL,
	"node" text collate "C" NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_is_one_row" CHECK ("lead"."id" = 1)
);
