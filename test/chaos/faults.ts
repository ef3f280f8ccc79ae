import type { Fault } from "./fault.ts";
import { emailContent } from "./email-content.ts";
import { backup } from "./backup.ts";
import { mailboxFlood } from "./mailbox-flood.ts";
import { callerLimits } from "./caller-limits.ts";
import { clicks } from "./clicks.ts";
import { clockJumps } from "./clock.ts";
import { crossSite } from "./cross-site.ts";
import { diskFull } from "./disk-full.ts";
import { erasure } from "./erasure.ts";
import { failingSync } from "./failing-sync.ts";
import { hostileRecipients } from "./hostile-recipients.ts";
import { kill } from "./kill.ts";
import { mailFails } from "./mail-fails.ts";
import { mailKills } from "./mail-kills.ts";
import { migrationKill } from "./migration-kill.ts";
import { powerCut } from "./power-cut.ts";
import { slowClients } from "./slow-clients.ts";
import { stopping } from "./stopping.ts";
import { twoStarters } from "./two-starters.ts";
import { uploads } from "./uploads.ts";

/** Every fault, in the order of docs/reliability.md's table. */
export const FAULTS: readonly Fault[] = [
  // The disk
  kill,
  powerCut,
  failingSync,
  diskFull,
  twoStarters,
  migrationKill,
  clockJumps,
  backup,
  erasure,
  // The net and the mail
  mailFails,
  mailKills,
  hostileRecipients,
  mailboxFlood,
  emailContent,
  clicks,
  crossSite,
  callerLimits,
  slowClients,
  uploads,
  stopping,
];
