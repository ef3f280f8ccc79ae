-- An alert and a sighting are called by their quarter as well: "Friedrichshain, Berlin".
ALTER TABLE "alert" ADD COLUMN "district" text collate "C";--> statement-breakpoint
ALTER TABLE "sighting" ADD COLUMN "district" text collate "C";
