-- Somebody may be a member of several organisations. A session acts for those whose member its mailbox was when its link was
-- made, so that it ends for good with a membership and leaves the others alone.
-- The release before neither relies on the uniqueness that goes nor writes what the new one refuses.
DROP INDEX "member_by_email";--> statement-breakpoint
DROP INDEX "member_of_organisation";--> statement-breakpoint
ALTER TABLE "member" DROP CONSTRAINT "member_pkey";--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_organisation_email_pk" PRIMARY KEY("organisation","email");--> statement-breakpoint
CREATE UNIQUE INDEX "member_by_mailbox" ON "member" USING btree (lower(email),"organisation");--> statement-breakpoint
ALTER TABLE "admin_key" ADD COLUMN "created_at" bigint;--> statement-breakpoint
ALTER TABLE "member_key" ADD COLUMN "created_at" bigint;
