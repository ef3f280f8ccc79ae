-- Devices that are told of something by Web Push, what each is told of, and the push that waits.
CREATE TABLE "device" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"endpoint_mark" text collate "C" NOT NULL,
	"sealed" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"ok_at" bigint,
	CONSTRAINT "device_endpoint_mark_unique" UNIQUE("endpoint_mark")
);
--> statement-breakpoint
CREATE TABLE "device_topic" (
	"device_id" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"news_due_at" bigint,
	"push_id" text collate "C",
	"content" jsonb,
	"pushed_at" bigint,
	"give_up_at" bigint,
	"due_at" bigint,
	CONSTRAINT "device_topic_device_id_subject_pk" PRIMARY KEY("device_id","subject")
);
--> statement-breakpoint
ALTER TABLE "device_topic" ADD CONSTRAINT "device_topic_device_id_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."device"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_by_age" ON "device" USING btree ("ok_at","created_at");--> statement-breakpoint
CREATE INDEX "device_topic_by_subject" ON "device_topic" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "device_topic_news" ON "device_topic" USING btree ("news_due_at") WHERE news_due_at is not null;--> statement-breakpoint
CREATE INDEX "device_topic_due" ON "device_topic" USING btree ("due_at") WHERE push_id is not null;--> statement-breakpoint
CREATE INDEX "device_topic_by_push" ON "device_topic" USING btree ("push_id") WHERE push_id is not null;
