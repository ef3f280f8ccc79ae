-- Indexes for what read whole tables among 100,000 alerts: sweeping, withdrawing emails, erasing, the moderators' list.
-- PostgreSQL does not estimate by a partial index, so it gets statistics of the expressions in those: without them it
-- expects one row in 200 for each address, and reads the whole table instead.
DROP INDEX "outbox_due";--> statement-breakpoint
CREATE INDEX "alert_hidden" ON "alert" USING btree ("published_at") WHERE status = 'hidden';--> statement-breakpoint
CREATE INDEX "outbox_of_match" ON "outbox" USING btree ((content -> 'other' ->> 'shortCode')) WHERE state = 'waiting' and content -> 'other' ->> 'shortCode' is not null;--> statement-breakpoint
CREATE INDEX "outbox_with_entries" ON "outbox" USING btree ("id") WHERE state = 'waiting' and content -> 'entries' is not null;--> statement-breakpoint
CREATE INDEX "outbox_by_sealed_token" ON "outbox" USING btree ((content ->> 'sealedToken')) WHERE state = 'waiting' and content ->> 'sealedToken' is not null;--> statement-breakpoint
CREATE INDEX "pending_expiring" ON "pending" USING btree ("expires_at") WHERE state = 'waiting' and email <> '';--> statement-breakpoint
CREATE INDEX "pending_about_alert" ON "pending" USING btree ((payload ->> 'alertId')) WHERE state = 'waiting' and payload ->> 'alertId' is not null;--> statement-breakpoint
CREATE INDEX "pending_became_alert" ON "pending" USING btree ((result ->> 'alertId')) WHERE result ->> 'alertId' is not null;--> statement-breakpoint
CREATE INDEX "pending_became_zone" ON "pending" USING btree ((result ->> 'zoneId')) WHERE result ->> 'zoneId' is not null;--> statement-breakpoint
CREATE INDEX "zone_ended" ON "zone" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "zone_news_by_age" ON "zone_news" USING btree ("told_at") WHERE told_at is not null;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE STATISTICS "alert_owner" ON (lower(owner_email)) FROM "alert";--> statement-breakpoint
CREATE STATISTICS "zone_reader" ON (lower(email)) FROM "zone";--> statement-breakpoint
CREATE STATISTICS "pending_mailbox" ON (lower(email)) FROM "pending";--> statement-breakpoint
CREATE STATISTICS "pending_alert_id" ON (names ->> 'id') FROM "pending";--> statement-breakpoint
CREATE STATISTICS "pending_code" ON (names ->> 'shortCode') FROM "pending";--> statement-breakpoint
CREATE STATISTICS "pending_about" ON (payload ->> 'alertId') FROM "pending";--> statement-breakpoint
CREATE STATISTICS "pending_alert" ON (result ->> 'alertId') FROM "pending";--> statement-breakpoint
CREATE STATISTICS "pending_zone" ON (result ->> 'zoneId') FROM "pending";--> statement-breakpoint
CREATE STATISTICS "outbox_reader" ON (lower("to")) FROM "outbox";
