-- Devices that are told of something by Web Push, what each is told of, and the push that waits.
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_mark` text NOT NULL,
	`sealed` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`ok_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_endpoint_mark_unique` ON `device` (`endpoint_mark`);--> statement-breakpoint
CREATE INDEX `device_by_age` ON `device` (`ok_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `device_topic` (
	`device_id` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	`news_due_at` integer,
	`push_id` text,
	`content` text,
	`pushed_at` integer,
	`give_up_at` integer,
	`due_at` integer,
	PRIMARY KEY(`device_id`, `subject`),
	FOREIGN KEY (`device_id`) REFERENCES `device`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_topic_by_subject` ON `device_topic` (`subject`);--> statement-breakpoint
CREATE INDEX `device_topic_news` ON `device_topic` (`news_due_at`) WHERE news_due_at is not null;--> statement-breakpoint
CREATE INDEX `device_topic_due` ON `device_topic` (`due_at`) WHERE push_id is not null;--> statement-breakpoint
CREATE INDEX `device_topic_by_push` ON `device_topic` (`push_id`) WHERE push_id is not null;
