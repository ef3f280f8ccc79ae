-- How often a zone is emailed about: at once, or once a day.
ALTER TABLE `zone` ADD `frequency` text DEFAULT 'at_once' NOT NULL;
