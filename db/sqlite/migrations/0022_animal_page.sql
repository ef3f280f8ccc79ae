-- A shelter's table may hold the address of the animal's page at the shelter, to which the alert's page leads.
ALTER TABLE `alert` ADD `animal_page` text;