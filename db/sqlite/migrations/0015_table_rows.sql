-- A table is read again and again: an alert remembers its row as read last, and how many reads in a row lacked it.
ALTER TABLE `alert` ADD `row_hash` text;--> statement-breakpoint
ALTER TABLE `alert` ADD `missed_reads` integer DEFAULT 0 NOT NULL;