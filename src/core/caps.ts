import { DAY_MS, HOUR_MS, MINUTE_MS } from "./duration.ts";

/** Kind of action that is confirmed by email. */
export type PendingKind = "publish" | "message" | "zone" | "sighting";

/** Maximum within a sliding window. */
export type Cap = { readonly max: number; readonly windowMs: number };

/**
 * All rate limits that are not settings. `bun run limits` lists them in docs/limits.md: each says whom it counts, what
 * happens beyond it, and why strangers cannot turn it against somebody.
 */
export const CAPS = {
  // Emails to one mailbox
  /**
   * Confirmation emails that nobody has answered, to a mailbox in all its spellings. Beyond it a request waits on the page behind any
   * confirmation email to that spelling. One place is kept for publications, one for a network new to the mailbox;
   * confirming anything frees all.
   */
  confirmationEmailsPerMailbox: { max: 5, windowMs: DAY_MS },
  /**
   * Confirmation emails to mailboxes that never confirmed anything, counted per mail domain; large providers are
   * exempt. Beyond it each gets its first email of the day, whose page lists what else waits.
   */
  confirmationEmailsPerSmallDomain: { max: 50, windowMs: DAY_MS },
  /**
   * Emails with an erasure link to one spelling of a mailbox. Beyond it nothing is sent: the owner has a link that
   * works for 48 hours.
   */
  eraseEmailsPerMailbox: { max: 3, windowMs: DAY_MS },
  /** The same for all spellings of one mailbox together. */
  eraseEmailsPerCountedMailbox: { max: 10, windowMs: DAY_MS },
  /**
   * Emails to a mailbox with sign-in links of a moderator, those of a member, or manage links. Beyond it nothing is
   * sent: the links of the day work.
   */
  linkEmailsPerMailbox: { max: 5, windowMs: DAY_MS },
  /** The same with the extra ones that are sent when `linkEmailsPerMailbox` is full. */
  linkEmailsPerMailboxInAll: { max: 8, windowMs: DAY_MS },
  /**
   * Extra emails with links at the request of one network that has caused none before, so that strangers keep nobody
   * out.
   */
  linkEmailsPerMailboxAndNewNetwork: { max: 1, windowMs: DAY_MS },
  /** Emails about reports, which go to all moderators. Beyond it a report joins the next one. */
  reportEmails: { max: 1, windowMs: 10 * MINUTE_MS },
  /** Emails about reports in a day. Beyond it one is sent each hour. */
  reportEmailsPerDay: { max: 12, windowMs: DAY_MS },
  /**
   * Emails about reports when `reportEmailsPerDay` is full: whoever fills that delays reports by an hour, and the
   * queue shows them at once.
   */
  reportEmailsPerHour: { max: 1, windowMs: HOUR_MS },
  /** Emails to the operator about one table and one kind of problem. Beyond it the alarm in the log goes on. */
  tableEmails: { max: 1, windowMs: DAY_MS },
  /**
   * Emails with manage links of the same list of alerts, sent even if all of these are full. Only the owner changes
   * the list.
   */
  manageLinkEmailsPerList: { max: 1, windowMs: DAY_MS },
  /**
   * Match emails to an owner. Beyond it a pair joins the daily digest, which takes mail domains of the other owners
   * in turn.
   */
  matchEmailsPerMailbox: { max: 10, windowMs: DAY_MS },
  /** Match emails below high confidence, not counted in `matchEmailsPerMailbox`. Beyond it a pair joins the digest. */
  nearMatchEmailsPerMailbox: { max: 2, windowMs: DAY_MS },
  /**
   * Digests of matches to an owner, each with ten pairs, or 50 if all of the owner's alerts come from a table. The
   * rest follows a day later.
   */
  matchDigestsPerMailbox: { max: 1, windowMs: DAY_MS },
  /**
   * Emails about what to do next to an owner. Beyond it the steps are on the owner's page; only the owner's own
   * alerts cause them.
   */
  planEmailsPerMailbox: { max: 20, windowMs: DAY_MS },
  /**
   * Emails about new alerts to a mailbox. Beyond it they are gathered into one an hour, which takes mail domains in
   * turn.
   */
  zoneEmailsPerMailbox: { max: 3, windowMs: HOUR_MS },
  /** Pushes to a device about one of its zones. Beyond it they are gathered into one. */
  pushesPerZone: { max: 3, windowMs: HOUR_MS },

  // Emails that one alert causes or receives
  /**
   * Owners of other alerts told because one alert was compared. Beyond it they are told on the following days, the
   * likeliest first.
   */
  matchEmailsPerAlert: { max: 5, windowMs: DAY_MS },
  /** Comparisons of an alert with the others. Beyond it they wait; only its owner causes them, by editing. */
  comparisonsPerAlert: { max: 5, windowMs: DAY_MS },
  /**
   * Messages emailed at once to an owner. Beyond it they are on the owner's page and in the next digest: none is
   * refused.
   */
  messageEmailsPerAlert: { max: 20, windowMs: DAY_MS },
  /** The same from one network, which uses up its own part only. */
  messageEmailsPerAlertAndNetwork: { max: 5, windowMs: DAY_MS },
  /** Sightings emailed at once to an owner. Beyond it they are on the alert's page and in the next digest. */
  sightingEmailsPerAlert: { max: 20, windowMs: DAY_MS },
  /** The same from one network. */
  sightingEmailsPerAlertAndNetwork: { max: 5, windowMs: DAY_MS },
  /** Emails that say why a reply by email was not passed on, to one side of a conversation, for each of two reasons. */
  replyRefusalsPerSide: { max: 1, windowMs: DAY_MS },
  /** Digests of messages and sightings beyond those, networks in turn. All are on the owner's page. */
  ownerDigestsPerAlert: { max: 1, windowMs: HOUR_MS },

  // One sender
  /**
   * Messages of one mailbox about an alert. Beyond it 429 until there is room; a message counts once that mailbox has
   * confirmed it.
   */
  messagesPerAlertAndSender: { max: 3, windowMs: DAY_MS },
  /** Replies of one side of a conversation. Only whoever has that side's link uses them up. */
  repliesPerConversationSide: { max: 20, windowMs: DAY_MS },
  /** Emails to the reply address of a side whose text is read: only those that are certainly from that side. */
  emailedRepliesPerSide: { max: 60, windowMs: DAY_MS },
  /** Sightings of one mailbox about an alert, counted as its messages are. */
  sightingsPerAlertAndSender: { max: 3, windowMs: DAY_MS },

  // One client
  /**
   * Requests of a client for manage, erasure and sign-in links, each kind apart. Beyond it 429; no mailbox is
   * counted.
   */
  linkRequestsPerClient: { max: 10, windowMs: HOUR_MS },
  /** Photos of a client. Beyond it 429; what is sent without a photo still arrives. */
  photosPerClient: { max: 60, windowMs: HOUR_MS },
  /**
   * Reports of a client. Beyond it 429; the queue takes alerts in turn, so that many reports about one bury none
   * about another.
   */
  reportsPerClient: { max: 5, windowMs: HOUR_MS },
  /** Marks on maps. Beyond them each map shows only the newest `marksBeyond`. */
  marksPerClient: { max: 200_000, windowMs: HOUR_MS },

  // The whole instance
  /**
   * Unconfirmed requests from everybody. Beyond it a whole network may make only as many as one client, and an alarm tells
   * the operator.
   */
  unconfirmedRequests: { max: 600, windowMs: HOUR_MS },
  /**
   * Unconfirmed requests of one kind from one network of hosted assistants. Beyond it 429 for all mailboxes alike, so
   * that nobody learns who is known; the pages work.
   */
  sharedNetworkRequests: { max: 1000, windowMs: HOUR_MS },
  /**
   * Unconfirmed emails of one kind through such a network: half for mailboxes that confirmed something before. Beyond
   * it a request waits without an email.
   */
  sharedNetworkEmails: { max: 100, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, Cap>>;
export type CapName = keyof typeof CAPS;

const MIB = 1024 * 1024;

/** Limits on concurrent counts and sizes. */
export const QUOTAS = {
  /** Zones of one mailbox. Beyond it 409 with links that end them; a zone counts once that mailbox has confirmed it. */
  zonesPerMailbox: 10,
  /** Alerts and zones of which one device is notified. Beyond it 409; only its browser fills it. */
  topicsPerDevice: 20,
  /** Devices notified of what comes in about one alert. Beyond it 409; only whoever has the manage link fills it. */
  devicesPerAlert: 10,
  /**
   * Waiting requests listed in front behind a confirmation email: publications first, one for each network and kind.
   */
  waitingInFront: 30,
  /** Those folded below them. The rest is left out. */
  waitingFolded: 70,
  /**
   * Corrections of a mistyped address for each request. Beyond it 409; only the holder of the waiting page uses them
   * up.
   */
  addressCorrections: 2,
  /** Marks on each map of a client that is beyond `marksPerClient`. */
  marksBeyond: 200,
  /** Alerts in the popup of a map. The others are in the list that it links. */
  alertsPerPopup: 20,

  /** Bytes of the photos of one form. Beyond it the form is shown again with what was typed. */
  uploadBytes: 8 * MIB,
  /**
   * Multipart forms received and answered at a time, which take less of the disk than `diskWithoutPhotos`. Beyond it
   * the slowest unfinished one of the network with the most gives way.
   */
  uploads: 60,
  /** The same of a network, which makes room for itself. */
  uploadsPerNetwork: 15,
  /**
   * Other requests of more than 16 KiB, at most 256 KiB, received and answered at a time, in memory. They give way
   * likewise.
   */
  bodies: 128,
  /** The same of a network. */
  bodiesPerNetwork: 32,
  /** Photos with one message or sighting. A form with more is shown again. */
  attachedPhotos: 3,
  /** Free bytes of the disk below which no photo is stored. Alerts and messages still arrive. */
  diskWithoutPhotos: 500 * MIB,
  /** Photos that wait to be decoded, one at a time, networks in turn. Beyond it 503. */
  decodesWaiting: 240,
  /** The same of a network, with the one being decoded. */
  decodesPerNetwork: 4,
  /** Pictures of link previews that wait to be drawn, one at a time. Beyond it 503; those in the cache need no turn. */
  previewsWaiting: 32,
  /** The same of a network, with the one being drawn. */
  previewsPerNetwork: 8,
  /** Photos at addresses that are fetched and decoded at a time. */
  photosFetched: 4,
  /**
   * Fetches that wait. Beyond it the alert is published without the photo, which can be added by the link in the
   * email.
   */
  photoFetchesWaiting: 32,
  /** The same of a network, with those under way. */
  photoFetchesPerNetwork: 16,
  /**
   * Addresses of photos fetched in one read of a table. The other rows get theirs at the next reads, from a random
   * row on.
   */
  photosPerTableRead: 120,
} as const;

/** Multiples and fractions of other limits. */
export const FACTORS = {
  /**
   * Writes of all clients in an IPv6 /56, one household's connection, in multiples of one client's rate. Beyond it
   * 429.
   */
  writesPer56: 4,
  /** Reads of all clients in an IPv6 /56, in multiples of one client's limit: a household hurts itself only. */
  readsPer56: 4,
  /** The same in an IPv6 /48. */
  readsPer48: 16,
  /**
   * Requests of a client for styles, scripts, icons and photos, in multiples of the limit on reads, towards which
   * they do not count; one for a file that does not exist counts as that many.
   */
  filesPerRead: 20,
  /** Reads that a refused write counts as: it may take the time of several, and counts towards no other limit. */
  readsPerRefusedWrite: 10,
  /**
   * Limit of a network of hosted assistants, or of an address in it, where no email address is given, in multiples of
   * one client's.
   */
  assistantClients: 10,
  /**
   * Unconfirmed requests of a network, in multiples of one client's rate. Beyond it 429 for an hour at most; confirmed
   * requests no longer count.
   */
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
