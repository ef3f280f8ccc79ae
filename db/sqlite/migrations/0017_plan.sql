-- Owners mark the steps of their plan as done, get emails about the next ones, and can stop these. What was done is counted
-- when the animal came home.
CREATE TABLE `outcome_step` (
	`week` text NOT NULL,
	`species` text NOT NULL,
	`step` text NOT NULL,
	`animals` integer NOT NULL,
	PRIMARY KEY(`week`, `species`, `step`)
);
--> statement-breakpoint
CREATE TABLE `plan_email` (
	`alert_id` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `day`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `plan_step` (
	`alert_id` text NOT NULL,
	`step` text NOT NULL,
	`done_at` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `step`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `alert` ADD `plan_muted_at` integer;