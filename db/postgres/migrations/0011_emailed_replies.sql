-- An email that is read twice, because the program ended in between, adds its reply once.
ALTER TABLE "message" ADD COLUMN "email_hash" text collate "C";--> statement-breakpoint
CREATE INDEX "message_of_email" ON "message" USING btree ("email_hash") WHERE email_hash is not null;