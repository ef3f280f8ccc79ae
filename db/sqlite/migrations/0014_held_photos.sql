-- Who uploads or uses a photo holds it, and who deletes its files takes it first: several nodes may do so at once.
ALTER TABLE `photo_gone` ADD `kept_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `photo_gone` ADD `holders` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `photo_gone` ADD `held_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `photo_gone` ADD `leaving_at` integer;