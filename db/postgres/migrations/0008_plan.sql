-- Owners mark the steps of their plan as done, get emails about the next ones, and can stop these. What was done is counted
-- when the animal came home.
CREATE TABLE "outcome_step" (
	"week" text collate "C" NOT NULL,
	"species" text collate "C" NOT NULL,
	"step" text collate "C" NOT NULL,
	"animals" bigint NOT NULL,
	CONSTRAINT "outcome_step_week_species_step_pk" PRIMARY KEY("week","species","step")
);
--> statement-breakpoint
CREATE TABLE "plan_email" (
	"alert_id" text collate "C" NOT NULL,
	"day" bigint NOT NULL,
	CONSTRAINT "plan_email_alert_id_day_pk" PRIMARY KEY("alert_id","day")
);
--> statement-breakpoint
CREATE TABLE "plan_step" (
	"alert_id" text collate "C" NOT NULL,
	"step" text collate "C" NOT NULL,
	"done_at" bigint NOT NULL,
	CONSTRAINT "plan_step_alert_id_step_pk" PRIMARY KEY("alert_id","step")
);
--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "plan_muted_at" bigint;--> statement-breakpoint
ALTER TABLE "plan_email" ADD CONSTRAINT "plan_email_alert_id_alert_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alert"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_step" ADD CONSTRAINT "plan_step_alert_id_alert_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alert"("id") ON DELETE cascade ON UPDATE no action;