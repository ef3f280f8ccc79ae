-- Somebody may be a member of several organisations. A session acts for those whose member its mailbox was when its link was
-- made, so that it ends for good with a membership and leaves the others alone.
CREATE TABLE `__new_member` (
	`email` text NOT NULL,
	`organisation` text NOT NULL,
	`role` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`organisation`, `email`),
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_member`("email", "organisation", "role", "added_at") SELECT "email", "organisation", "role", "added_at" FROM `member`;--> statement-breakpoint
DROP TABLE `member`;--> statement-breakpoint
ALTER TABLE `__new_member` RENAME TO `member`;--> statement-breakpoint
CREATE UNIQUE INDEX `member_by_mailbox` ON `member` (lower(email),`organisation`);--> statement-breakpoint
ALTER TABLE `admin_key` ADD `created_at` integer;--> statement-breakpoint
ALTER TABLE `member_key` ADD `created_at` integer;
