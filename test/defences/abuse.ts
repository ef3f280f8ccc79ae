import type { CapName } from "../../src/core/caps.ts";
import { withoutCaps } from "../chaos/weakened.ts";
import { type Defence, inTest, replaced } from "./defence.ts";

const stock = (stocks: string) =>
  replaced("src/core/caps.ts", "QUOTAS", `{ ...original.QUOTAS, ${stocks} }`);
const cap = (caps: string) => replaced("src/core/caps.ts", "CAPS", `{ ...original.CAPS, ${caps} }`);

/** Caps whose attack succeeds without them. */
const CAPS: readonly (readonly [file: string, test: string, ...caps: CapName[]])[] = [
  ["confirmation-emails", "a flood from forty networks", "unconfirmedRequests"],
  ["shared-networks", "a hundred and twenty calls", "sharedNetworkEmails"],
  ["links", "uses up an owner's emails", "linkEmailsPerMailbox"],
  ["match-emails", "five emails a day", "matchEmailsPerAlert"],
  ["match-emails", "compared five times", "comparisonsPerAlert"],
  ["match-emails", "eleven emails in a day", "matchEmailsPerMailbox"],
  ["match-emails", "eleven emails in a day", "matchDigestsPerMailbox"],
  ["messages", "keeps no message of anybody else", "messageEmailsPerAlertAndNetwork"],
  [
    "messages",
    "comes first in the digest",
    "messageEmailsPerAlert",
    "messageEmailsPerAlertAndNetwork",
  ],
  ["messages", "three messages a day", "messagesPerAlertAndSender"],
  ["messages", "one digest an hour", "ownerDigestsPerAlert"],
  ["sightings", "keeps no sighting of anybody else", "sightingEmailsPerAlertAndNetwork"],
  ["sightings", "three sightings a day", "sightingsPerAlertAndSender"],
  ["replies", "causes one email to the owner", "replyRefusalsPerSide"],
  ["zones", "three emails an hour", "zoneEmailsPerMailbox"],
  ["reports", "has moderators emailed", "reportEmailsPerHour"],
  ["attached-photos", "has its own budget", "photosPerClient"],
];

/** Defences of people against strangers, each with the attack that succeeds without it. */
export const AGAINST_ABUSE: readonly Defence[] = [
  ...CAPS.map(([file, test, ...caps]) =>
    inTest(`abuse/${file}`, test, caps.join(" and "), withoutCaps(...caps)),
  ),

  // Emails to a mailbox that strangers name
  inTest(
    "abuse/confirmation-emails",
    "a dozen networks",
    "the places kept for publications and for new networks",
    replaced("src/core/pending/pending.ts", "hasRoom", "(networks) => networks.length < 5"),
  ),
  inTest(
    "abuse/confirmation-emails",
    "sixty networks",
    "the list behind each confirmation email",
    replaced("src/http/web/pages/confirm/waiting-list.tsx", "withWaitingList", "(page) => page"),
  ),
  inTest(
    "abuse/address-corrections",
    "one request reaches",
    "the limit of corrected addresses",
    stock("addressCorrections: 1e9"),
  ),
  inTest(
    "abuse/shared-networks",
    "a hundred and twenty calls",
    "a pool for each network of assistants",
    replaced(
      "src/core/limits.ts",
      "networkFor",
      `(ports, kind, caller) => {
        const network = original.networkFor(ports, kind, caller);
        return network.isShared ? { ...network, networkHash: "pool" } : network;
      }`,
    ),
  ),
  inTest(
    "abuse/stop",
    "a year later",
    "the links that are kept with a stop",
    replaced("db/links.ts", "keepStopLinks", "async () => {}"),
  ),
  inTest(
    "abuse/letter-case",
    "capital letter",
    "letter case of a mailbox",
    replaced(
      "db/queries.ts",
      "isExactly",
      "(column, address) => original.isAddress(column, address)",
    ),
  ),

  // Links in emails
  inTest(
    "abuse/links",
    "costs the store the same",
    "looking nothing up before the answer",
    replaced(
      "src/core/people/magic-link.ts",
      "requestMagicLink",
      `async (ports, kind, asked, caller) => {
        const answer = await original.requestMagicLink(ports, kind, asked, caller);
        const owned = await ports.store.alertsOwnedBy(asked.email, 1);
        const hits = owned.map(() => ({ key: "links:mail", max: 5, windowMs: 86_400_000 }));
        if (hits.length > 0) await ports.store.countHits(hits, ports.clock());
        return answer;
      }`,
    ),
  ),
  inTest(
    "abuse/links",
    "uses up an owner's emails",
    "the exception for a list that was not sent yet",
    cap("manageLinkEmailsPerList: { max: 0, windowMs: 86_400_000 }"),
  ),
  inTest(
    "abuse/links",
    "passed on later",
    "the time limit of what a used link shows",
    replaced("src/core/pending/pending.ts", "LINK_SHOWN_MS", "Infinity"),
  ),
  inTest(
    "abuse/links",
    "repeats a victim's request",
    "a page of its own for a repeated request",
    replaced("db/pending.ts", "insertRepeat", "async (tx, ask, first) => first"),
  ),

  // Emails about matches
  inTest(
    "abuse/match-emails",
    "reaches none of their owners",
    "waiting before an edit is compared",
    replaced("src/core/matches/claim.ts", "CLAIM_WAITS_MS", "[0]"),
  ),
  inTest(
    "abuse/match-emails",
    "eleven emails in a day",
    "pairs of a digest in turns",
    replaced(
      "src/core/people/mailbox-spelling.ts",
      "firstInTurn",
      "(items, emailOf, limit) => items.slice(0, limit)",
    ),
  ),
  inTest(
    "abuse/chip",
    "answered in public as any other",
    "leaving chips out of public matches",
    replaced("src/core/matches/pair-store.ts", "withoutChip", "(alert) => alert"),
  ),

  // Messages, sightings, replies
  inTest(
    "abuse/messages",
    "keeps no message of anybody else",
    "counting senders apart",
    replaced(
      "src/core/conversations/conversation.ts",
      "messageHits",
      "(alertId) => [{ key: alertId, max: 5, windowMs: 86_400_000 }]",
    ),
  ),
  inTest(
    "abuse/messages",
    "comes first in the digest",
    "newcomers first",
    replaced(
      "db/queries.ts",
      "newcomersFirst",
      "(_network, newest) => original.turnOf(newest, newest)",
    ),
  ),
  inTest(
    "abuse/sightings",
    "keeps no sighting of anybody else",
    "networks in turn on an alert's page",
    replaced("db/queries.ts", "turnOf", "(_network, newest) => original.turnOf(newest, newest)"),
  ),
  inTest(
    "abuse/replies",
    "causes one email to the owner",
    "the check of who sent a reply",
    replaced("src/mail/authentication-results.ts", "isAuthenticated", "() => true"),
  ),
  inTest(
    "abuse/replies",
    "is passed on once",
    "the hash of an email that was passed on",
    replaced(
      "src/core/conversations/reply.ts",
      "relayReply",
      "(...given) => original.relayReply(given[0], given[1], given[2], given[3])",
    ),
  ),
  inTest(
    "abuse/replies",
    "reaches nobody",
    "telling machines from people",
    replaced("src/mail/message-header.ts", "isAutomatic", "() => false"),
  ),

  // Bounces and complaints
  inTest(
    "abuse/bounces",
    "forges bounces",
    "the key of a return address",
    replaced(
      "src/mail/plus-address.ts",
      "createPlusAddresses",
      '(address) => original.createPlusAddresses(address, () => "0".repeat(64))',
    ),
  ),
  inTest(
    "abuse/bounces",
    "subscribes a spelling",
    "counting bounces of each spelling apart",
    replaced(
      "src/core/people/mailbox-spelling.ts",
      "hashMailbox",
      `(secrets, email) =>
        secrets.keyedHash("mailbox", email.toLowerCase().replace(/\\+[^@]*/, ""))`,
    ),
  ),
  inTest(
    "abuse/bounces",
    "has us blocklisted",
    "telling a dead mailbox from other failures",
    replaced(
      "src/core/people/suppression.ts",
      "isDeadMailboxStatus",
      '(status) => status.startsWith("5")',
    ),
  ),
  inTest(
    "abuse/bounces",
    "for a few hours",
    "days between two bounces",
    replaced(
      "src/core/people/suppression.ts",
      "stateAfterBounce",
      `(before, sentAt, now) => ({
        firstFailureAt: sentAt,
        deadSince: before === null ? null : now,
      })`,
    ),
  ),
  inTest(
    "abuse/bounces",
    "reports as spam",
    "which complaints count",
    replaced("src/core/people/suppression.ts", "complaintCounts", "() => true"),
  ),

  // Zones and reports
  inTest(
    "abuse/zones",
    "ten at most",
    "a circle counted once",
    replaced("db/zones.ts", "sameZone", "async () => null"),
  ),
  inTest("abuse/zones", "ten at most", "zones of a mailbox", stock("zonesPerMailbox: 1e9")),
  inTest(
    "abuse/zones",
    "out of a daily email",
    "mail domains in turn",
    replaced(
      "src/core/people/mailbox-spelling.ts",
      "firstInTurn",
      "(items, _about, limit) => items.slice(0, limit)",
    ),
  ),
  inTest(
    "abuse/reports",
    "out of the moderation queue",
    "alerts in turn in the moderation queue",
    replaced("src/core/round-robin.ts", "roundRobin", "(all) => all"),
  ),
  inTest(
    "abuse/reports",
    "has moderators emailed",
    "the place kept in every hour",
    cap("reportEmailsPerHour: original.CAPS.reportEmailsPerDay"),
  ),

  // Photos, uploads, files
  inTest(
    "abuse/photos",
    "by its name",
    "tickets of photos",
    replaced("src/core/photos/ticket.ts", "photoOfTicket", "(ticket) => ticket.slice(0, 32)"),
  ),
  inTest(
    "abuse/attached-photos",
    "keeps room for messages",
    "the room that is kept free of photos",
    stock("diskWithoutPhotos: 0"),
  ),
  inTest(
    "abuse/uploads",
    "200 of many addresses",
    "the slowest upload gives way",
    replaced(
      "src/http/middleware/body-slots.ts",
      "createBodySlots",
      `(max, reason) => {
        const slots = original.createBodySlots(max, reason);
        return {
          take: (network, body) => slots.take(network, { ...body, isComplete: () => true }),
        };
      }`,
    ),
  ),
  inTest(
    "abuse/slow-upload",
    "a phone may pause",
    "time of its own for an upload",
    replaced(
      "src/http/middleware/timeouts.ts",
      "TIMEOUTS",
      "{ ...original.TIMEOUTS, uploadSeconds: 8 }",
    ),
  ),
  inTest(
    "abuse/files",
    "a limit of their own",
    "the limit of files",
    replaced(
      "src/http/middleware/rate-limit.ts",
      "limitFiles",
      "() => ({ count() {}, noteRefused() {} })",
    ),
  ),
  inTest(
    "abuse/proxy",
    "documented production command",
    "listening on this machine alone",
    replaced("src/settings/reachability.ts", "defaultHost", '() => "0.0.0.0"'),
  ),

  // Texts
  inTest(
    "abuse/links-in-text",
    "nothing a stranger writes",
    "redaction",
    replaced("src/redaction/redact.ts", "redact", "(text) => ({ text, removed: [] })"),
  ),
  inTest(
    "abuse/links-in-text",
    "no sender's name",
    "the check of names",
    replaced(
      "src/core/conversations/conversation.ts",
      "cleanSenderName",
      "(text) => ({ text, removed: [] })",
    ),
  ),

  // Backups and data folders from elsewhere
  inTest(
    "abuse/hostile-backup",
    "a backup with a trigger",
    "the check of the schema",
    replaced(
      "db/sqlite/migrate.ts",
      "refuseForeignSchema",
      `(sqlite) =>
        sqlite.query("SELECT 1 FROM sqlite_schema").get() === null
          ? 0
          : sqlite.query("SELECT 1 FROM migration").all().length`,
    ),
  ),
  inTest(
    "abuse/hostile-backup",
    "a picture that is a symbolic link",
    "serving plain files alone",
    replaced(
      "src/photos/plain-file.ts",
      "readPlainFile",
      "(path) => Bun.file(path).bytes().catch(() => null)",
    ),
  ),
  inTest(
    "abuse/hostile-backup",
    "whose key is a symbolic link",
    "restoring plain files alone",
    replaced("db/sqlite/plain-files.ts", "requirePlainFiles", "() => {}"),
    replaced(
      "src/ops/secret-key.ts",
      "readKey",
      `(folder) => {
        const { existsSync, readFileSync } = require("node:fs");
        const file = folder + "/secret.key";
        return existsSync(file) ? readFileSync(file) : null;
      }`,
    ),
  ),

  inTest(
    "plan-email-kills",
    "come once each",
    "the ledger of emails about plans",
    // Emptied whenever it is read.
    replaced(
      "db/plan.ts",
      "planQueries",
      `(tools) => {
        const queries = original.planQueries(tools);
        const mailboxesDuePlanEmails = async (...due) => {
          await tools.write([], (tx) => tx.db.delete(tx.tables.planEmail));
          return queries.mailboxesDuePlanEmails(...due);
        };
        return { ...queries, mailboxesDuePlanEmails };
      }`,
    ),
  ),
];
