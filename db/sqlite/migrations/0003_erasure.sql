-- Erasing a person: links by e-mail that do it, and up to where the list of tombstones was carried out.
CREATE TABLE `erasure` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`email` text,
	`erased` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `counter` ADD `tombstones` text;