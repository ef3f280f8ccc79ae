-- Caps that cannot be turned against their victims: networks, digests, budgets, pairs to tell of, dead mailboxes, the key.
CREATE TABLE `key_check` (
	`id` integer PRIMARY KEY NOT NULL,
	`mark` text NOT NULL,
	CONSTRAINT "key_check_is_one_row" CHECK("key_check"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `owner_news` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alert_id` text NOT NULL,
	`message_id` text,
	`sighting_id` text,
	`letter_id` text,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sighting_id`) REFERENCES `sighting`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `owner_news_untold` ON `owner_news` (`alert_id`,`id`) WHERE letter_id is null;--> statement-breakpoint
CREATE INDEX `owner_news_by_message` ON `owner_news` (`message_id`);--> statement-breakpoint
CREATE INDEX `owner_news_by_sighting` ON `owner_news` (`sighting_id`);--> statement-breakpoint
CREATE INDEX `owner_news_by_letter` ON `owner_news` (`letter_id`);--> statement-breakpoint
CREATE TABLE `claim_edit` (
	`id` integer PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`at` integer NOT NULL,
	`handled_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `claim_edit_of_alert` ON `claim_edit` (`alert_id`,`at`);--> statement-breakpoint
CREATE INDEX `claim_edit_by_age` ON `claim_edit` (`at`);--> statement-breakpoint
CREATE TABLE `match_notice` (
	`alert_id` text NOT NULL,
	`other_id` text NOT NULL,
	`cause_id` text NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`in_digest` integer DEFAULT false NOT NULL,
	`told_at` integer,
	`letter_id` text,
	PRIMARY KEY(`alert_id`, `other_id`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`other_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `match_notice_by_other` ON `match_notice` (`other_id`);--> statement-breakpoint
CREATE INDEX `match_notice_due` ON `match_notice` (`in_digest`,`due_at`) WHERE told_at is null;--> statement-breakpoint
CREATE INDEX `match_notice_by_letter` ON `match_notice` (`letter_id`) WHERE letter_id is not null;--> statement-breakpoint
CREATE TABLE `confirmation_email` (
	`id` text PRIMARY KEY NOT NULL,
	`address_mark` text NOT NULL,
	`network_mark` text NOT NULL,
	`kind` text NOT NULL,
	`sent_at` integer NOT NULL,
	`at_once` integer NOT NULL,
	`answered` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `confirmation_email_by_address` ON `confirmation_email` (`address_mark`,`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_email_by_network` ON `confirmation_email` (`network_mark`,`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_email_at_once` ON `confirmation_email` (`sent_at`) WHERE at_once = 1 and answered = 0;--> statement-breakpoint
CREATE INDEX `confirmation_email_held` ON `confirmation_email` (`sent_at`) WHERE at_once = 0;--> statement-breakpoint
CREATE INDEX `confirmation_email_by_age` ON `confirmation_email` (`sent_at`);--> statement-breakpoint
CREATE TABLE `confirmed_mailbox` (
	`address_mark` text PRIMARY KEY NOT NULL,
	`confirmed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `confirmed_mailbox_by_age` ON `confirmed_mailbox` (`confirmed_at`);--> statement-breakpoint
CREATE TABLE `stop_link` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`address_mark` text NOT NULL,
	FOREIGN KEY (`address_mark`) REFERENCES `stopped`(`address_mark`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stop_link_by_address` ON `stop_link` (`address_mark`);--> statement-breakpoint
CREATE TABLE `suppression` (
	`mailbox_mark` text PRIMARY KEY NOT NULL,
	`first_failure_at` integer,
	`dead_since` integer,
	`complained_at` integer
);
--> statement-breakpoint
DROP INDEX `alert_uncompared`;--> statement-breakpoint
ALTER TABLE `alert` ADD `compare_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `alert_uncompared` ON `alert` (`compare_at`,`published_at`) WHERE compared_at is null and status = 'active';--> statement-breakpoint
ALTER TABLE `conversation` ADD `network_mark` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_ask` ADD `part` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `kind` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `mailbox_mark` text;--> statement-breakpoint
CREATE INDEX `outbox_by_mailbox` ON `outbox` (`mailbox_mark`) WHERE mailbox_mark is not null;--> statement-breakpoint
ALTER TABLE `pending` ADD `network_mark` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `pending` ADD `sealed_token` text;--> statement-breakpoint
ALTER TABLE `pending` ADD `emailed_at` integer;--> statement-breakpoint
ALTER TABLE `pending` ADD `email_due_at` integer;--> statement-breakpoint
ALTER TABLE `pending` ADD `repeats` text;--> statement-breakpoint
ALTER TABLE `pending` ADD `confirmed_at` integer;--> statement-breakpoint
CREATE INDEX `pending_repeats` ON `pending` (`repeats`) WHERE repeats is not null;--> statement-breakpoint
CREATE INDEX `pending_queued` ON `pending` (`email_due_at`,`network_mark`,`address_mark`,`created_at`) WHERE email_due_at is not null;--> statement-breakpoint
ALTER TABLE `pending` DROP COLUMN `lettered`;--> statement-breakpoint
ALTER TABLE `sighting` ADD `network_mark` text DEFAULT '' NOT NULL;--> statement-breakpoint
INSERT INTO `stop_link` SELECT `token_hash`, `address_mark` FROM `pending` WHERE `state` = 'disowned' AND `address_mark` IN (SELECT `address_mark` FROM `stopped`);--> statement-breakpoint
INSERT INTO `confirmed_mailbox` SELECT `address_mark`, max(`created_at`) FROM `pending` WHERE `state` = 'confirmed' GROUP BY `address_mark`;
