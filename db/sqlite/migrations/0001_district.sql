-- An alert and a sighting are called by their quarter as well: "Friedrichshain, Berlin".
ALTER TABLE `alert` ADD `district` text;--> statement-breakpoint
ALTER TABLE `sighting` ADD `district` text;
