-- The home page lists the animals that came home lately and tells how many there were: both are read from this index alone.
CREATE INDEX `alert_resolved` ON `alert` (`ended_at`) WHERE status = 'resolved';
