-- An email that is read twice, because the program ended in between, adds its reply once.
ALTER TABLE `message` ADD `email_hash` text;--> statement-breakpoint
CREATE INDEX `message_of_email` ON `message` (`email_hash`) WHERE email_hash is not null;
