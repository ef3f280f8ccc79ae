ALTER TABLE "alert" ADD COLUMN "collar" text collate "C";
