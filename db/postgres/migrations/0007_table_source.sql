-- The service reads tables at addresses by itself: what is known of each, and who reads it just now.
CREATE TABLE "table_source" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"state" jsonb NOT NULL,
	"taken_until" bigint DEFAULT 0 NOT NULL
);