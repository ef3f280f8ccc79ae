-- A shelter's table may hold the address of the animal's page at the shelter, to which the alert's page leads.
ALTER TABLE "alert" ADD COLUMN "animal_page" text collate "C";