-- A publication that waits for its confirmation is found by the names its alert will have, so that nobody publishes twice.
CREATE INDEX `pending_by_alert_id` ON `pending` (names ->> '$.id') WHERE names is not null;--> statement-breakpoint
CREATE INDEX `pending_by_short_code` ON `pending` (names ->> '$.shortCode') WHERE names is not null;