import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import pairs from "./0001_pairs.sql" with { type: "text" };
import web from "./0002_web.sql" with { type: "text" };
import erasure from "./0003_erasure.sql" with { type: "text" };
import caps from "./0004_caps.sql" with { type: "text" };
import waitingPublications from "./0005_waiting_publications.sql" with { type: "text" };
import goesOutside from "./0006_goes_outside.sql" with { type: "text" };
import homeAgain from "./0007_home_again.sql" with { type: "text" };
import zoneNewsDue from "./0008_zone_news_due.sql" with { type: "text" };
import landmark from "./0009_landmark.sql" with { type: "text" };
import zoneFrequency from "./0010_zone_frequency.sql" with { type: "text" };
import reportEmails from "./0011_report_emails.sql" with { type: "text" };
import idempotency from "./0012_idempotency.sql" with { type: "text" };
import attachedPhotos from "./0013_attached_photos.sql" with { type: "text" };
import heldPhotos from "./0014_held_photos.sql" with { type: "text" };
import tableRows from "./0015_table_rows.sql" with { type: "text" };
import tableSource from "./0016_table_source.sql" with { type: "text" };
import plan from "./0017_plan.sql" with { type: "text" };
import organisations from "./0018_organisations.sql" with { type: "text" };
import devices from "./0019_devices.sql" with { type: "text" };
import emailedReplies from "./0020_emailed_replies.sql" with { type: "text" };
import memberLog from "./0021_member_log.sql" with { type: "text" };
import animalPage from "./0022_animal_page.sql" with { type: "text" };
import memberships from "./0023_memberships.sql" with { type: "text" };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0000_first", sql: first },
  { name: "0001_pairs", sql: pairs },
  { name: "0002_web", sql: web },
  { name: "0003_erasure", sql: erasure },
  { name: "0004_caps", sql: caps },
  { name: "0005_waiting_publications", sql: waitingPublications },
  { name: "0006_goes_outside", sql: goesOutside },
  { name: "0007_home_again", sql: homeAgain },
  { name: "0008_zone_news_due", sql: zoneNewsDue },
  { name: "0009_landmark", sql: landmark },
  { name: "0010_zone_frequency", sql: zoneFrequency },
  { name: "0011_report_emails", sql: reportEmails },
  { name: "0012_idempotency", sql: idempotency },
  { name: "0013_attached_photos", sql: attachedPhotos },
  { name: "0014_held_photos", sql: heldPhotos },
  { name: "0015_table_rows", sql: tableRows },
  { name: "0016_table_source", sql: tableSource },
  { name: "0017_plan", sql: plan },
  { name: "0018_organisations", sql: organisations },
  { name: "0019_devices", sql: devices },
  { name: "0020_emailed_replies", sql: emailedReplies },
  { name: "0021_member_log", sql: memberLog },
  { name: "0022_animal_page", sql: animalPage },
  { name: "0023_memberships", sql: memberships },
];
