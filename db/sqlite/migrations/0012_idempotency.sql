-- A form that is sent again after a lost connection, hours later, is the same request: found by a hash of its key and content.
ALTER TABLE `pending` ADD `idempotency_hash` text;--> statement-breakpoint
CREATE INDEX `pending_by_idempotency` ON `pending` (`idempotency_hash`,`created_at`) WHERE idempotency_hash is not null;