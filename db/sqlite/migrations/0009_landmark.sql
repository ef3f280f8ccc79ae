-- A landmark and a time of day tell people nearby more than the name of a town: both are public, and both may be missing.
ALTER TABLE `alert` ADD `event_time` text;--> statement-breakpoint
ALTER TABLE `alert` ADD `landmark` text;