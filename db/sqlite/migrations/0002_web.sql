-- What the pages need: pictures, sightings, reports and moderation, second letters, how animals came home.
CREATE TABLE `admin_key` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `blocked` (
	`address_mark` text PRIMARY KEY NOT NULL,
	`blocked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `moderation` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`who` text NOT NULL,
	`act` text NOT NULL,
	`alert_id` text,
	`short_code` text
);
--> statement-breakpoint
CREATE INDEX `moderation_by_time` ON `moderation` (`at`);--> statement-breakpoint
CREATE TABLE `outcome` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`week` text NOT NULL,
	`type` text NOT NULL,
	`species` text NOT NULL,
	`days` integer NOT NULL,
	`how` text,
	`distance` text
);
--> statement-breakpoint
CREATE TABLE `photo_gone` (
	`name` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `photo_use` (
	`name` text NOT NULL,
	`user` text NOT NULL,
	PRIMARY KEY(`name`, `user`)
);
--> statement-breakpoint
CREATE INDEX `photo_use_by_user` ON `photo_use` (`user`);--> statement-breakpoint
CREATE TABLE `report` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`conversation_id` text,
	`reason` text NOT NULL,
	`text` text,
	`created_at` integer NOT NULL,
	`handled_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversation`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `report_open` ON `report` (`created_at`) WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX `report_of_alert` ON `report` (`alert_id`);--> statement-breakpoint
CREATE TABLE `sighting` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`city` text NOT NULL,
	`country_code` text NOT NULL,
	`seen_at` integer NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sighting_of_alert` ON `sighting` (`alert_id`,`seen_at`);--> statement-breakpoint
ALTER TABLE `alert` ADD `outcome_told` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `alert` ADD `hidden_from` text;--> statement-breakpoint
CREATE INDEX `alert_by_owner` ON `alert` (lower(owner_email)) WHERE owner_email is not null;--> statement-breakpoint
ALTER TABLE `conversation` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `pending` ADD `second_token_hash` text;--> statement-breakpoint
ALTER TABLE `pending` ADD `readdressed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `pending_second_token_hash_unique` ON `pending` (`second_token_hash`);