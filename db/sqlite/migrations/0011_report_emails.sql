-- Reports that the moderators were emailed about. Those of before are old news.
ALTER TABLE `report` ADD `emailed_at` integer;--> statement-breakpoint
UPDATE `report` SET `emailed_at` = `created_at`;--> statement-breakpoint
CREATE INDEX `report_news` ON `report` (`created_at`) WHERE handled_at is null and emailed_at is null;
