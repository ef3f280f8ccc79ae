-- The tables at the first release.
CREATE TABLE `organisation` (
	`slug` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`address` text,
	`hours` text,
	`phone` text,
	`page` text,
	`logo` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_by_email` ON `organisation` (lower(email));--> statement-breakpoint
CREATE TABLE `member` (
	`email` text NOT NULL,
	`organisation` text NOT NULL,
	`role` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`organisation`, `email`),
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `member_by_mailbox` ON `member` (lower(email),`organisation`);--> statement-breakpoint
CREATE TABLE `member_action` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`organisation` text NOT NULL,
	`who` text NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `member_action_of_organisation` ON `member_action` (`organisation`,`at`);--> statement-breakpoint
CREATE INDEX `member_action_by_time` ON `member_action` (`at`);--> statement-breakpoint
CREATE INDEX `member_action_by_who` ON `member_action` (lower(who));--> statement-breakpoint
CREATE TABLE `short_code` (
	`code` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert` (
	`published_at` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`short_code` text NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`species` text NOT NULL,
	`name` text,
	`breed` text NOT NULL,
	`color` text NOT NULL,
	`size` text NOT NULL,
	`sex` text NOT NULL,
	`age` text NOT NULL,
	`description` text,
	`event_date` text NOT NULL,
	`event_time` text,
	`landmark` text,
	`custody` text,
	`city` text NOT NULL,
	`district` text,
	`country_code` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`photos` text NOT NULL,
	`chip_hash` text,
	`updated_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`owner_email` text,
	`language` text NOT NULL,
	`source` text,
	`organisation` text,
	`organisation_name` text,
	`announced_at` integer,
	`reminders_muted` integer DEFAULT false NOT NULL,
	`compared_at` integer,
	`compare_at` integer DEFAULT 0 NOT NULL,
	`matches_muted` integer DEFAULT false NOT NULL,
	`plan_muted_at` integer,
	`outcome_told` integer DEFAULT false NOT NULL,
	`row_hash` text,
	`missed_reads` integer DEFAULT 0 NOT NULL,
	`animal_page` text,
	`hidden_from` text,
	`erased_at` integer,
	`revision` integer NOT NULL,
	FOREIGN KEY (`short_code`) REFERENCES `short_code`(`code`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organisation`) REFERENCES `organisation`(`slug`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alert_id_unique` ON `alert` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_slug_unique` ON `alert` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_short_code_unique` ON `alert` (`short_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_source_unique` ON `alert` (`source`);--> statement-breakpoint
CREATE INDEX `alert_by_revision` ON `alert` (`revision`);--> statement-breakpoint
CREATE INDEX `alert_ending` ON `alert` (`expires_at`) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `alert_ended` ON `alert` (`ended_at`) WHERE ended_at is not null and erased_at is null;--> statement-breakpoint
CREATE INDEX `alert_resolved` ON `alert` (`ended_at`) WHERE status = 'resolved';--> statement-breakpoint
CREATE INDEX `alert_hidden` ON `alert` (`published_at`) WHERE status = 'hidden';--> statement-breakpoint
CREATE INDEX `alert_unannounced` ON `alert` (`published_at`) WHERE announced_at is null;--> statement-breakpoint
CREATE INDEX `alert_uncompared` ON `alert` (`compare_at`,`published_at`) WHERE compared_at is null and status = 'active';--> statement-breakpoint
CREATE INDEX `alert_by_owner` ON `alert` (lower(owner_email)) WHERE owner_email is not null;--> statement-breakpoint
CREATE INDEX `alert_by_organisation` ON `alert` (`organisation`) WHERE organisation is not null;--> statement-breakpoint
CREATE INDEX `alert_by_chip` ON `alert` (`chip_hash`) WHERE chip_hash is not null;--> statement-breakpoint
CREATE TABLE `reminder` (
	`alert_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`within_ms` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `expires_at`, `within_ms`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sighting` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`city` text NOT NULL,
	`district` text,
	`country_code` text NOT NULL,
	`seen_at` integer NOT NULL,
	`seen_part` text,
	`note` text,
	`photos` text DEFAULT '[]' NOT NULL,
	`network_hash` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sighting_of_alert` ON `sighting` (`alert_id`,`seen_at`);--> statement-breakpoint
CREATE TABLE `outcome` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`week` text NOT NULL,
	`type` text NOT NULL,
	`species` text NOT NULL,
	`days` integer NOT NULL,
	`how` text,
	`distance` text
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
CREATE TABLE `plan_email` (
	`alert_id` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `day`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `outcome_step` (
	`week` text NOT NULL,
	`species` text NOT NULL,
	`step` text NOT NULL,
	`animals` integer NOT NULL,
	PRIMARY KEY(`week`, `species`, `step`)
);
--> statement-breakpoint
CREATE TABLE `pair` (
	`lost_id` text NOT NULL,
	`found_id` text NOT NULL,
	`notified_at` integer,
	`ended_at` integer,
	PRIMARY KEY(`lost_id`, `found_id`),
	FOREIGN KEY (`lost_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`found_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pair_by_found` ON `pair` (`found_id`);--> statement-breakpoint
CREATE TABLE `match_notice` (
	`alert_id` text NOT NULL,
	`other_id` text NOT NULL,
	`cause_id` text NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`in_digest` integer DEFAULT false NOT NULL,
	`notified_at` integer,
	`email_id` text,
	PRIMARY KEY(`alert_id`, `other_id`),
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`other_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `match_notice_by_other` ON `match_notice` (`other_id`);--> statement-breakpoint
CREATE INDEX `match_notice_due` ON `match_notice` (`in_digest`,`due_at`) WHERE notified_at is null;--> statement-breakpoint
CREATE INDEX `match_notice_by_email` ON `match_notice` (`email_id`) WHERE email_id is not null;--> statement-breakpoint
CREATE TABLE `claim_edit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alert_id` text NOT NULL,
	`at` integer NOT NULL,
	`handled_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `claim_edit_of_alert` ON `claim_edit` (`alert_id`,`at`);--> statement-breakpoint
CREATE INDEX `claim_edit_by_age` ON `claim_edit` (`at`);--> statement-breakpoint
CREATE TABLE `photo_use` (
	`name` text NOT NULL,
	`user` text NOT NULL,
	PRIMARY KEY(`name`, `user`)
);
--> statement-breakpoint
CREATE INDEX `photo_use_by_user` ON `photo_use` (`user`);--> statement-breakpoint
CREATE TABLE `photo_gone` (
	`name` text PRIMARY KEY NOT NULL,
	`kept_until` integer DEFAULT 0 NOT NULL,
	`holders` integer DEFAULT 0 NOT NULL,
	`held_until` integer DEFAULT 0 NOT NULL,
	`leaving_at` integer
);
--> statement-breakpoint
CREATE TABLE `conversation` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`stranger_email` text NOT NULL,
	`stranger_hash` text NOT NULL,
	`stranger_name` text,
	`network_hash` text DEFAULT '' NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`read_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_of_two` ON `conversation` (`alert_id`,`stranger_hash`);--> statement-breakpoint
CREATE INDEX `conversation_by_stranger` ON `conversation` (lower(stranger_email));--> statement-breakpoint
CREATE TABLE `message` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`from` text NOT NULL,
	`text` text NOT NULL,
	`photos` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`email_hash` text,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversation`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `message_of_conversation` ON `message` (`conversation_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `message_of_email` ON `message` (`email_hash`) WHERE email_hash is not null;--> statement-breakpoint
CREATE TABLE `owner_news` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alert_id` text NOT NULL,
	`message_id` text,
	`sighting_id` text,
	`email_id` text,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sighting_id`) REFERENCES `sighting`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `owner_news_untold` ON `owner_news` (`alert_id`,`id`) WHERE email_id is null;--> statement-breakpoint
CREATE INDEX `owner_news_by_message` ON `owner_news` (`message_id`);--> statement-breakpoint
CREATE INDEX `owner_news_by_sighting` ON `owner_news` (`sighting_id`);--> statement-breakpoint
CREATE INDEX `owner_news_by_email` ON `owner_news` (`email_id`);--> statement-breakpoint
CREATE TABLE `report` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`conversation_id` text,
	`reason` text NOT NULL,
	`text` text,
	`created_at` integer NOT NULL,
	`handled_at` integer,
	`emailed_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversation`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `report_open` ON `report` (`created_at`) WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX `report_news` ON `report` (`created_at`) WHERE handled_at is null and emailed_at is null;--> statement-breakpoint
CREATE INDEX `report_of_alert` ON `report` (`alert_id`);--> statement-breakpoint
CREATE TABLE `blocked` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`blocked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `moderation` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`who` text NOT NULL,
	`act` text NOT NULL,
	`alert_id` text,
	`short_code` text
);
--> statement-breakpoint
CREATE INDEX `moderation_by_time` ON `moderation` (`at`);--> statement-breakpoint
CREATE TABLE `session_key` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `zone` (
	`id` text PRIMARY KEY NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`radius_km` real NOT NULL,
	`species` text,
	`type` text,
	`label` text,
	`frequency` text DEFAULT 'at_once' NOT NULL,
	`email` text,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `zone_by_revision` ON `zone` (`revision`);--> statement-breakpoint
CREATE INDEX `zone_ended` ON `zone` (`ended_at`) WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX `zone_by_email` ON `zone` (lower(email)) WHERE email is not null;--> statement-breakpoint
CREATE TABLE `zone_news` (
	`zone_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`is_held` integer DEFAULT false NOT NULL,
	`notified_at` integer,
	`email_id` text,
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `zone`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`alert_id`) REFERENCES `alert`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `zone_news_of_zone` ON `zone_news` (`zone_id`,`alert_id`);--> statement-breakpoint
CREATE INDEX `zone_news_due` ON `zone_news` (`due_at`,`number`) WHERE notified_at is null;--> statement-breakpoint
CREATE INDEX `zone_news_notified` ON `zone_news` (`zone_id`,`notified_at`);--> statement-breakpoint
CREATE INDEX `zone_news_by_alert` ON `zone_news` (`alert_id`);--> statement-breakpoint
CREATE INDEX `zone_news_by_age` ON `zone_news` (`notified_at`) WHERE notified_at is not null;--> statement-breakpoint
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_hash` text NOT NULL,
	`sealed` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`ok_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_endpoint_hash_unique` ON `device` (`endpoint_hash`);--> statement-breakpoint
CREATE INDEX `device_by_age` ON `device` (`ok_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `device_topic` (
	`device_id` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	`news_due_at` integer,
	`push_id` text,
	`content` text,
	`pushed_at` integer,
	`give_up_at` integer,
	`due_at` integer,
	PRIMARY KEY(`device_id`, `subject`),
	FOREIGN KEY (`device_id`) REFERENCES `device`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_topic_by_subject` ON `device_topic` (`subject`);--> statement-breakpoint
CREATE INDEX `device_topic_news` ON `device_topic` (`news_due_at`) WHERE news_due_at is not null;--> statement-breakpoint
CREATE INDEX `device_topic_due` ON `device_topic` (`due_at`) WHERE push_id is not null;--> statement-breakpoint
CREATE INDEX `device_topic_by_push` ON `device_topic` (`push_id`) WHERE push_id is not null;--> statement-breakpoint
CREATE TABLE `pending` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`mailbox_hash` text NOT NULL,
	`address_hash` text NOT NULL,
	`network_hash` text DEFAULT '' NOT NULL,
	`content_hash` text NOT NULL,
	`idempotency_hash` text,
	`language` text NOT NULL,
	`names` text,
	`payload` text,
	`result` text,
	`state` text NOT NULL,
	`sealed_token` text,
	`emailed_at` integer,
	`resent` integer DEFAULT false NOT NULL,
	`readdressed` integer DEFAULT 0 NOT NULL,
	`repeats` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`confirmed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_token_hash_unique` ON `pending` (`token_hash`);--> statement-breakpoint
CREATE INDEX `pending_by_address` ON `pending` (`address_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `pending_by_content` ON `pending` (`content_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `pending_by_idempotency` ON `pending` (`idempotency_hash`,`created_at`) WHERE idempotency_hash is not null;--> statement-breakpoint
CREATE INDEX `pending_by_age` ON `pending` (`created_at`);--> statement-breakpoint
CREATE INDEX `pending_repeats` ON `pending` (`repeats`) WHERE repeats is not null;--> statement-breakpoint
CREATE INDEX `pending_by_mailbox` ON `pending` (`mailbox_hash`);--> statement-breakpoint
CREATE INDEX `pending_by_network` ON `pending` (`network_hash`,`created_at`) WHERE network_hash <> '';--> statement-breakpoint
CREATE INDEX `pending_by_alert_id` ON `pending` ((names ->> 'id')) WHERE names is not null;--> statement-breakpoint
CREATE INDEX `pending_by_short_code` ON `pending` ((names ->> 'shortCode')) WHERE names is not null;--> statement-breakpoint
CREATE INDEX `pending_expiring` ON `pending` (`expires_at`) WHERE state = 'waiting' and email <> '';--> statement-breakpoint
CREATE INDEX `pending_about_alert` ON `pending` ((payload ->> 'alertId')) WHERE state = 'waiting' and payload ->> 'alertId' is not null;--> statement-breakpoint
CREATE INDEX `pending_became_alert` ON `pending` ((result ->> 'alertId')) WHERE result ->> 'alertId' is not null;--> statement-breakpoint
CREATE INDEX `pending_became_zone` ON `pending` ((result ->> 'zoneId')) WHERE result ->> 'zoneId' is not null;--> statement-breakpoint
CREATE INDEX `pending_by_email` ON `pending` (lower(email)) WHERE email <> '';--> statement-breakpoint
CREATE TABLE `link` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_by_subject` ON `link` (`purpose`,`subject`);--> statement-breakpoint
CREATE TABLE `link_request` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`sealed_email` text NOT NULL,
	`language` text NOT NULL,
	`part` integer DEFAULT 1 NOT NULL,
	`asked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erasure` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`email` text,
	`erased` text,
	`expires_at` integer NOT NULL,
	`unconfirmed_hash` text
);
--> statement-breakpoint
CREATE INDEX `erasure_unconfirmed` ON `erasure` (`unconfirmed_hash`) WHERE unconfirmed_hash is not null;--> statement-breakpoint
CREATE TABLE `stopped` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`stopped_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stop_link` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`address_hash` text NOT NULL,
	FOREIGN KEY (`address_hash`) REFERENCES `stopped`(`address_hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stop_link_by_address` ON `stop_link` (`address_hash`);--> statement-breakpoint
CREATE TABLE `confirmation_email` (
	`id` text PRIMARY KEY NOT NULL,
	`address_hash` text NOT NULL,
	`network_hash` text NOT NULL,
	`kind` text NOT NULL,
	`sent_at` integer NOT NULL,
	`answered` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `confirmation_email_by_address` ON `confirmation_email` (`address_hash`,`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_email_by_network` ON `confirmation_email` (`network_hash`,`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_email_by_age` ON `confirmation_email` (`sent_at`);--> statement-breakpoint
CREATE TABLE `confirmed_mailbox` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`confirmed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `confirmed_mailbox_by_age` ON `confirmed_mailbox` (`confirmed_at`);--> statement-breakpoint
CREATE TABLE `suppression` (
	`mailbox_hash` text PRIMARY KEY NOT NULL,
	`first_failure_at` integer,
	`dead_since` integer,
	`complained_at` integer
);
--> statement-breakpoint
CREATE TABLE `key_check` (
	`id` integer PRIMARY KEY NOT NULL,
	`mark` text NOT NULL,
	CONSTRAINT "key_check_is_one_row" CHECK("key_check"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `counter` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`last_published_at` integer NOT NULL,
	`beat_at` integer,
	`steady_since` integer,
	CONSTRAINT "counter_is_one_row" CHECK("counter"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`to` text,
	`language` text NOT NULL,
	`content` text,
	`state` text NOT NULL,
	`about` text,
	`created_at` integer NOT NULL,
	`give_up_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`closed_at` integer,
	`kind` text,
	`mailbox_hash` text
);
--> statement-breakpoint
CREATE INDEX `outbox_by_mailbox` ON `outbox` (`mailbox_hash`) WHERE mailbox_hash is not null;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_about` ON `outbox` (`about`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_by_reader` ON `outbox` (lower("to")) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_of_match` ON `outbox` ((content -> 'other' ->> 'shortCode')) WHERE state = 'waiting' and content -> 'other' ->> 'shortCode' is not null;--> statement-breakpoint
CREATE INDEX `outbox_with_entries` ON `outbox` (`id`) WHERE state = 'waiting' and content -> 'entries' is not null;--> statement-breakpoint
CREATE INDEX `outbox_by_sealed_token` ON `outbox` ((content ->> 'sealedToken')) WHERE state = 'waiting' and content ->> 'sealedToken' is not null;--> statement-breakpoint
CREATE INDEX `outbox_closed` ON `outbox` (`closed_at`) WHERE state <> 'waiting';--> statement-breakpoint
CREATE TABLE `hit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `hit_by_key` ON `hit` (`key`,`at`);--> statement-breakpoint
CREATE INDEX `hit_by_age` ON `hit` (`at`);--> statement-breakpoint
CREATE TABLE `tombstone` (
	`line` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `table_source` (
	`name` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`taken_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
INSERT INTO `counter` (`id`, `revision`, `last_published_at`) VALUES (1, 0, 0);
