import { DAY_MS, HOUR_MS, MINUTE_MS } from "./duration.ts";

/** Kind of action that is confirmed by email. */
export type PendingKind = "publish" | "message" | "zone" | "sighting";

/** Maximum within a sliding window. */
export type Cap = { readonly max: number; readonly windowMs: number };

/**
 * All rate limits that are not settings. SECURITY.md describes for each what it counts, what happens beyond it, and how it
 * is kept from being used against a victim.
 */
export const CAPS = {
  // Emails to one mailbox
  /** Unconfirmed ones; one place is kept for publications, one for a network that this mailbox has not heard of. */
  confirmationEmailsPerMailbox: { max: 5, windowMs: DAY_MS },
  /** To mailboxes that never confirmed anything. Beyond it each gets its first email of the day and no more. */
  confirmationEmailsPerSmallDomain: { max: 50, windowMs: DAY_MS },
  eraseEmailsPerMailbox: { max: 3, windowMs: DAY_MS },
  /** All spellings of one mailbox together. */
  eraseEmailsPerCountedMailbox: { max: 10, windowMs: DAY_MS },
  /** Sign-in links of a moderator, those of a member of an organisation, or manage links. */
  linkEmailsPerMailbox: { max: 5, windowMs: DAY_MS },
  /** Those emails together with the extra ones that are sent when `linkEmailsPerMailbox` is full. */
  linkEmailsPerMailboxInAll: { max: 8, windowMs: DAY_MS },
  /** Extra emails at the request of one network, which has caused none before. */
  linkEmailsPerMailboxAndNewNetwork: { max: 1, windowMs: DAY_MS },
  /** Emails about reports, which go to all moderators. */
  reportEmails: { max: 1, windowMs: 10 * MINUTE_MS },
  reportEmailsPerDay: { max: 12, windowMs: DAY_MS },
  /** Sent even if `reportEmailsPerDay` is full. */
  reportEmailsPerHour: { max: 1, windowMs: HOUR_MS },
  /** Emails to the operator about one table and one kind of problem. */
  tableEmails: { max: 1, windowMs: DAY_MS },
  /** Emails listing the same alerts; sent even if all of these are full. */
  manageLinkEmailsPerList: { max: 1, windowMs: DAY_MS },
  matchEmailsPerMailbox: { max: 10, windowMs: DAY_MS },
  /** About pairs below high confidence; not counted in `matchEmailsPerMailbox`. */
  nearMatchEmailsPerMailbox: { max: 2, windowMs: DAY_MS },
  /** Each lists matches beyond the two caps above. */
  matchDigestsPerMailbox: { max: 1, windowMs: DAY_MS },
  /** Emails about plans. There are few of them, but an alert that is changed while one is being sent causes another. */
  planEmailsPerMailbox: { max: 20, windowMs: DAY_MS },
  zoneEmailsPerMailbox: { max: 3, windowMs: HOUR_MS },
  /** Pushes to a device about one of its zones. */
  pushesPerZone: { max: 3, windowMs: HOUR_MS },

  // Emails that one alert causes or receives
  matchEmailsPerAlert: { max: 5, windowMs: DAY_MS },
  comparisonsPerAlert: { max: 5, windowMs: DAY_MS },
  messageEmailsPerAlert: { max: 20, windowMs: DAY_MS },
  messageEmailsPerAlertAndNetwork: { max: 5, windowMs: DAY_MS },
  sightingEmailsPerAlert: { max: 20, windowMs: DAY_MS },
  sightingEmailsPerAlertAndNetwork: { max: 5, windowMs: DAY_MS },
  /** Emails that say why a reply by email was not passed on, to one side of a conversation, for each of two reasons. */
  replyRefusalsPerSide: { max: 1, windowMs: DAY_MS },
  /** Digests of messages and sightings beyond those. */
  ownerDigestsPerAlert: { max: 1, windowMs: HOUR_MS },

  // One sender
  messagesPerAlertAndSender: { max: 3, windowMs: DAY_MS },
  repliesPerConversationSide: { max: 20, windowMs: DAY_MS },
  /** Emails to the reply address of a side whose text is read: only those that are certainly from that side. */
  emailedRepliesPerSide: { max: 60, windowMs: DAY_MS },
  sightingsPerAlertAndSender: { max: 3, windowMs: DAY_MS },

  // One client
  linkRequestsPerClient: { max: 10, windowMs: HOUR_MS },
  photosPerClient: { max: 60, windowMs: HOUR_MS },
  reportsPerClient: { max: 5, windowMs: HOUR_MS },
  /** Marks on maps. Beyond them each map shows only the newest `marksBeyond`. */
  marksPerClient: { max: 200_000, windowMs: HOUR_MS },

  // The whole instance
  /** Requests that nobody confirmed. Beyond it a network may make `networkClients` times fewer, and an alarm tells the operator. */
  unconfirmedRequests: { max: 600, windowMs: HOUR_MS },
  /** Unconfirmed requests of one kind from one network of hosted assistants. */
  sharedNetworkRequests: { max: 1000, windowMs: HOUR_MS },
  /** Unconfirmed emails of one kind through such a network: half for mailboxes that confirmed something before, half for all. */
  sharedNetworkEmails: { max: 100, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, Cap>>;
export type CapName = keyof typeof CAPS;

const MIB = 1024 * 1024;

/** Limits on concurrent counts and sizes. */
export const STOCKS = {
  zonesPerMailbox: 10,
  /** Alerts and zones of which one device is notified. */
  topicsPerDevice: 20,
  /** Devices that are notified of what comes in about one alert. */
  devicesPerAlert: 10,
  /** Waiting requests listed behind a confirmation email: in front, and folded. */
  waitingInFront: 30,
  waitingFolded: 70,
  addressCorrections: 2,
  /** Marks on each map of a client that is beyond `marksPerClient`. */
  marksBeyond: 200,
  /** Alerts in the popup of a map. */
  alertsPerPopup: 20,

  /** Photos of one form together. */
  uploadBytes: 8 * MIB,
  /** Multipart forms that are being received and answered. All of them take less of the disk than `diskWithoutPhotos`. */
  uploads: 60,
  uploadsPerNetwork: 15,
  /** Other requests of more than 16 KiB that are being received and answered, in memory, of at most 256 KiB. */
  bodies: 128,
  bodiesPerNetwork: 32,
  /** With one message or sighting. */
  attachedPhotos: 3,
  /** Free bytes of the disk below which no photo is stored. */
  diskWithoutPhotos: 500 * MIB,
  /** Photos that wait to be decoded, one at a time; `perNetwork` counts the one being decoded, too. */
  decodesWaiting: 240,
  decodesPerNetwork: 4,
  /** Pictures of link previews that wait to be drawn, one at a time; `perNetwork` counts the one being drawn, too. */
  previewsWaiting: 32,
  previewsPerNetwork: 8,
  /** Photos at addresses, fetched and decoded. */
  photosFetched: 4,
  photoFetchesWaiting: 32,
  photoFetchesPerNetwork: 16,
  /** Addresses of photos fetched in one read of a table; the other rows get theirs at the next read. */
  photosPerTableRead: 120,
} as const;

/** Multiples and fractions of other limits. */
export const FACTORS = {
  /** Writes of all clients in an IPv6 /56 (one household's connection), in multiples of one client's rate. */
  writesPer56: 4,
  /** Reads of all clients in an IPv6 /56 and /48, in multiples of one client's limit. */
  readsPer56: 4,
  readsPer48: 16,
  /** Requests for files such as styles and photos, in multiples of the limit on reads; a missing one counts as as many. */
  filesPerRead: 20,
  /** Reads that a refused write counts as: it may take the time of several, and counts towards no other limit. */
  readsPerRefusedWrite: 10,
  /** Limit of a network of hosted assistants, or of an address in it, where no email address is given, in multiples of one client's. */
  assistantClients: 10,
  /** Unconfirmed requests of a network (/24 of IPv4, /48 of IPv6), in multiples of one client's rate. */
  networkClients: 8,
} as const;

const WINDOWS: Readonly<Record<number, string>> = {
  [DAY_MS]: "a day",
  [HOUR_MS]: "an hour",
  [MINUTE_MS]: "a minute",
};

/** "5 a day", "3 an hour", "1 in 10 minutes"; "unlimited" for null. */
export function formatRate(rate: Cap | null): string {
  if (rate === null) return "unlimited";
  const { max, windowMs } = rate;
  return `${max} ${WINDOWS[windowMs] ?? `in ${windowMs / MINUTE_MS} minutes`}`;
}
