-- Nodes divide among themselves what one of them need not do alone: announcing and comparing alerts, emails about zones, digests.
CREATE TABLE "claim" (
	"duty" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"node" text collate "C" NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "claim_duty_subject_pk" PRIMARY KEY("duty","subject")
);
