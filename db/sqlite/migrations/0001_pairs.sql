-- Likely pairs of lost and found alerts: what was compared, told and ended.
CREATE TABLE `pair` (
	`lost_id` text NOT NULL,
	`found_id` text NOT NULL,
	`told_at` integer,
	`ended_at` integer,
	PRIMARY KEY(`lost_id`, `found_id`),
	FOREIGN KEY (`lost_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`found_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pair_by_found` ON `pair` (`found_id`);--> statement-breakpoint
ALTER TABLE `alert` ADD `compared_at` integer;--> statement-breakpoint
ALTER TABLE `alert` ADD `matches_muted` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `alert_uncompared` ON `alert` (`published_at`) WHERE compared_at is null and status = 'active';