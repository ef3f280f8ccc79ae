-- The first schema: alerts, pending actions, private links, zones, conversations, letters, limits.
CREATE TABLE `alert` (
	`published_at` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`short_code` text NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`species` text NOT NULL,
	`name` text,
	`breed` text NOT NULL,
	`color` text NOT NULL,
	`size` text NOT NULL,
	`sex` text NOT NULL,
	`age` text NOT NULL,
	`description` text,
	`event_date` text NOT NULL,
	`custody` text,
	`city` text NOT NULL,
	`country_code` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`photos` text NOT NULL,
	`chip_hash` text,
	`updated_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`owner_email` text,
	`language` text NOT NULL,
	`source` text,
	`announced_at` integer,
	`reminders_muted` integer DEFAULT false NOT NULL,
	`erased_at` integer,
	`revision` integer NOT NULL,
	FOREIGN KEY (`short_code`) REFERENCES `short_code`(`code`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alert_id_unique` ON `alert` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_slug_unique` ON `alert` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_short_code_unique` ON `alert` (`short_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_source_unique` ON `alert` (`source`);--> statement-breakpoint
CREATE INDEX `alert_by_revision` ON `alert` (`revision`);--> statement-breakpoint
CREATE INDEX `alert_ending` ON `alert` (`expires_at`) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `alert_ended` ON `alert` (`ended_at`) WHERE ended_at is not null and erased_at is null;--> statement-breakpoint
CREATE INDEX `alert_unannounced` ON `alert` (`published_at`) WHERE announced_at is null;--> statement-breakpoint
CREATE INDEX `alert_by_chip` ON `alert` (`chip_hash`) WHERE chip_hash is not null;--> statement-breakpoint
CREATE TABLE `conversation` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`stranger_email` text NOT NULL,
	`stranger_mark` text NOT NULL,
	`stranger_name` text,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_of_two` ON `conversation` (`alert_id`,`stranger_mark`);--> statement-breakpoint
CREATE TABLE `counter` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`last_published_at` integer NOT NULL,
	`beat_at` integer,
	`steady_since` integer,
	CONSTRAINT "counter_is_one_row" CHECK("counter"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `hit` (
	`key` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `hit_by_key` ON `hit` (`key`,`at`);--> statement-breakpoint
CREATE INDEX `hit_by_age` ON `hit` (`at`);--> statement-breakpoint
CREATE TABLE `link` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_by_subject` ON `link` (`purpose`,`subject`);--> statement-breakpoint
CREATE TABLE `message` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`from` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversation`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `message_of_conversation` ON `message` (`conversation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`to` text,
	`language` text NOT NULL,
	`content` text,
	`state` text NOT NULL,
	`about` text,
	`created_at` integer NOT NULL,
	`give_up_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`closed_at` integer
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_about` ON `outbox` (`about`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_closed` ON `outbox` (`closed_at`) WHERE state <> 'waiting';--> statement-breakpoint
CREATE TABLE `pending` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`address_mark` text NOT NULL,
	`content_mark` text NOT NULL,
	`language` text NOT NULL,
	`names` text,
	`payload` text,
	`result` text,
	`state` text NOT NULL,
	`lettered` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_token_hash_unique` ON `pending` (`token_hash`);--> statement-breakpoint
CREATE INDEX `pending_by_address` ON `pending` (`address_mark`,`created_at`);--> statement-breakpoint
CREATE INDEX `pending_by_content` ON `pending` (`content_mark`,`created_at`);--> statement-breakpoint
CREATE INDEX `pending_by_age` ON `pending` (`created_at`);--> statement-breakpoint
CREATE TABLE `reminder` (
	`alert_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`within_ms` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `expires_at`, `within_ms`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `short_code` (
	`code` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stopped` (
	`address_mark` text PRIMARY KEY NOT NULL,
	`stopped_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `zone` (
	`id` text PRIMARY KEY NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`radius_km` real NOT NULL,
	`species` text,
	`type` text,
	`label` text,
	`email` text,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `zone_by_revision` ON `zone` (`revision`);--> statement-breakpoint
CREATE TABLE `zone_news` (
	`zone_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`told_at` integer,
	`letter_id` text,
	PRIMARY KEY(`zone_id`, `alert_id`),
	FOREIGN KEY (`zone_id`) REFERENCES `zone`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `zone_news_untold` ON `zone_news` (`created_at`) WHERE told_at is null;--> statement-breakpoint
CREATE INDEX `zone_news_told` ON `zone_news` (`zone_id`,`told_at`);--> statement-breakpoint
CREATE INDEX `zone_news_by_alert` ON `zone_news` (`alert_id`);--> statement-breakpoint
INSERT INTO `counter` (`id`, `revision`, `last_published_at`) VALUES (1, 0, 0);
