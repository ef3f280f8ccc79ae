-- The operator names shelters: an alert remembers whose it is, so that no read has to join, and people sign in for them.
-- Not valid: all alerts before have none, so that there is nothing to check.
CREATE TABLE "member" (
	"email" text collate "C" PRIMARY KEY NOT NULL,
	"organisation" text collate "C" NOT NULL,
	"role" text collate "C" NOT NULL,
	"added_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member_action" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"organisation" text collate "C" NOT NULL,
	"who" text collate "C" NOT NULL,
	"act" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member_key" (
	"token_hash" text collate "C" PRIMARY KEY NOT NULL,
	"kind" text collate "C" NOT NULL,
	"email" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organisation" (
	"slug" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"email" text collate "C",
	"address" text collate "C",
	"hours" text collate "C",
	"phone" text collate "C",
	"page" text collate "C",
	"logo" text collate "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "organisation" text collate "C";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "organisation_name" text collate "C";--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "read_at" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_organisation_organisation_slug_fk" FOREIGN KEY ("organisation") REFERENCES "public"."organisation"("slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_action" ADD CONSTRAINT "member_action_organisation_organisation_slug_fk" FOREIGN KEY ("organisation") REFERENCES "public"."organisation"("slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "member_by_email" ON "member" USING btree (lower(email));--> statement-breakpoint
CREATE INDEX "member_of_organisation" ON "member" USING btree ("organisation");--> statement-breakpoint
CREATE INDEX "member_action_of_organisation" ON "member_action" USING btree ("organisation","at");--> statement-breakpoint
CREATE INDEX "member_action_by_time" ON "member_action" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "organisation_by_email" ON "organisation" USING btree (lower(email));--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_organisation_organisation_slug_fk" FOREIGN KEY ("organisation") REFERENCES "public"."organisation"("slug") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "alert_by_organisation" ON "alert" USING btree ("organisation") WHERE organisation is not null;