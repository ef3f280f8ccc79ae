-- The service reads tables at addresses by itself: what is known of each, and who reads it just now.
CREATE TABLE `table_source` (
	`name` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`taken_until` integer DEFAULT 0 NOT NULL
);