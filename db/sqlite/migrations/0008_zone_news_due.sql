-- Time at which news for a zone is due: alerts that go live within a minute are emailed together.
DROP INDEX `zone_news_untold`;--> statement-breakpoint
ALTER TABLE `zone_news` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `zone_news` SET `due_at` = `created_at`;--> statement-breakpoint
CREATE INDEX `zone_news_due` ON `zone_news` (`due_at`) WHERE told_at is null;
