ALTER TABLE `alert` ADD `collar` text;
