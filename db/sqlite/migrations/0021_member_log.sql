-- Anyone may ask for an erasure: what a mailbox did is found without reading what others did.
CREATE INDEX `member_action_by_who` ON `member_action` (lower(who));