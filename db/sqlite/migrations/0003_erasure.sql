-- Erasing a person: links by e-mail that do it and asks for such links, which tombstones were carried out, and what
-- finds all that is kept under a mailbox without reading everybody's.
CREATE TABLE `erasure` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`email` text,
	`erased` text,
	`expires_at` integer NOT NULL,
	`unconfirmed_mark` text
);
--> statement-breakpoint
CREATE INDEX `erasure_unconfirmed` ON `erasure` (`unconfirmed_mark`) WHERE unconfirmed_mark is not null;--> statement-breakpoint
CREATE TABLE `link_ask` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`sealed_email` text NOT NULL,
	`language` text NOT NULL,
	`asked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tombstone` (
	`line` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversation_by_stranger` ON `conversation` (lower(stranger_email));--> statement-breakpoint
CREATE INDEX `outbox_by_reader` ON `outbox` (lower("to")) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `pending_by_email` ON `pending` (lower(email)) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `zone_by_email` ON `zone` (lower(email)) WHERE email is not null;