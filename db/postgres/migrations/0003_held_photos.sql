-- Who uploads or uses a photo holds it, and who deletes its files takes it first: several nodes may do so at once.
ALTER TABLE "photo_gone" ADD COLUMN "kept_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_gone" ADD COLUMN "holders" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_gone" ADD COLUMN "held_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_gone" ADD COLUMN "leaving_at" bigint;