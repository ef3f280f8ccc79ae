import type { Argument } from "../../core/messages.ts";

// Written by `bun run messages` from the JSON files.

export type MessageArguments = {
  subject: { title: Argument; headline: Argument; code: Argument };
  footer: { site: Argument };
  "confirm.publish.subject": { code: Argument };
  "confirm.publish.opening": { code: Argument; site: Argument };
  "confirm.message.subject": { code: Argument };
  "confirm.message.opening": { code: Argument; site: Argument };
  "confirm.zone.opening": { site: Argument };
  "confirm.sighting.subject": { code: Argument };
  "confirm.sighting.opening": { code: Argument; site: Argument };
  "confirm.ends": { hours: number; moment: Argument };
  "confirmations.subject": { count: Argument };
  "confirmations.title": { count: Argument };
  "confirmations.opening": { site: Argument };
  "confirmations.ends": { hours: number; moment: Argument };
  "live.ends": { day: Argument };
  "link.subjectMany": { count: Argument };
  "link.part": { part: Argument; parts: Argument; count: Argument };
  "admin.opening": { site: Argument };
  "admin.ends": { moment: Argument };
  "reports.title": { count: number };
  "reports.opening": { count: number; site: Argument };
  "reports.open": { count: Argument };
  "erase.opening": { site: Argument };
  "message.writes": { name: Argument };
  "message.photos": { count: number };
  "sighting.seen": { town: Argument; moment: Argument };
  "sighting.seenNear": { town: Argument; km: number; moment: Argument };
  "sighting.photo": { count: Argument };
  "sighting.photos": { count: number };
  "digest.moreOfOne": { count: number };
  "digest.moreConversations": { count: number };
  "digest.moreSightings": { count: number };
  "zone.subjectMany": { count: Argument };
  "zone.openingNamed": { label: Argument };
  "zone.moreZones": { count: number };
  "zone.more": { count: number };
  "zone.unsubscribeOne": { zone: Argument };
  "match.score": { percent: Argument };
  "matchDigest.subject": { count: number };
  "matchDigest.pair": { percent: Argument; headline: Argument; code: Argument };
  "matchDigest.more": { count: number };
  "reminder.title": { days: number };
  "reminder.ends": { moment: Argument };
};
