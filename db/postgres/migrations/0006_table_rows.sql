-- A table is read again and again: an alert remembers its row as read last, and how many reads in a row lacked it.
ALTER TABLE "alert" ADD COLUMN "row_hash" text collate "C";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "missed_reads" bigint DEFAULT 0 NOT NULL;