-- Photos of messages and sightings: their names, as in the column of alerts.
ALTER TABLE `message` ADD `photos` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sighting` ADD `photos` text DEFAULT '[]' NOT NULL;