-- The operator names shelters: an alert remembers whose it is, so that no read has to join, and people sign in for them.
CREATE TABLE `member` (
	`email` text PRIMARY KEY NOT NULL,
	`organisation` text NOT NULL,
	`role` text NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `member_by_email` ON `member` (lower(email));--> statement-breakpoint
CREATE INDEX `member_of_organisation` ON `member` (`organisation`);--> statement-breakpoint
CREATE TABLE `member_action` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`organisation` text NOT NULL,
	`who` text NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `member_action_of_organisation` ON `member_action` (`organisation`,`at`);--> statement-breakpoint
CREATE INDEX `member_action_by_time` ON `member_action` (`at`);--> statement-breakpoint
CREATE TABLE `member_key` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `organisation` (
	`slug` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`address` text,
	`hours` text,
	`phone` text,
	`page` text,
	`logo` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_by_email` ON `organisation` (lower(email));--> statement-breakpoint
ALTER TABLE `alert` ADD `organisation` text REFERENCES organisation(slug);--> statement-breakpoint
ALTER TABLE `alert` ADD `organisation_name` text;--> statement-breakpoint
CREATE INDEX `alert_by_organisation` ON `alert` (`organisation`) WHERE organisation is not null;--> statement-breakpoint
ALTER TABLE `conversation` ADD `read_at` integer;