import type { Alert, AlertChange, AlertDraft, AlertRef, Language } from "./alert.ts";
import type { Conversation, Message } from "./conversation.ts";
import type { DiscreetLink } from "./discreet-link.ts";
import type { Holdings } from "./erasing.ts";
import type { Letter } from "./letter.ts";
import type { Hit } from "./limit.ts";
import type { MatchSubject } from "./match/subject.ts";
import type { Pending, PendingResult } from "./pending.ts";
import type { IndexedAlert, IndexedZone, ZoneChange } from "./ports.ts";
import type { Outcome } from "./outcome.ts";
import type { Deed, DeedLine, Report } from "./report.ts";
import type { Sighting } from "./sighting.ts";
import type { Zone } from "./zone.ts";

/** What a private link opens. */
export type LinkPurpose = "manage" | "conversation" | "unsubscribe" | "pair";

/** A private link that stays good as long as what it opens. The token is kept as its hash, and sealed for later letters. */
export type PrivateLink = {
  readonly tokenHash: string;
  readonly purpose: LinkPurpose;
  /** manage: alert id; conversation: `<id>:owner` or `<id>:stranger`; unsubscribe: `zone:<id>`, `reminders:<alert id>` or
   * `matches:<alert id>`; pair: `<lost id>:<found id>:<the reader's side, lost or found>`.
   */
  readonly subject: string;
  readonly sealed: string;
};

/** A wish to write, to be kept until its human confirms. */
export type Ask = {
  readonly pending: Pending;
  /** The confirmation letter. */
  readonly letter: Letter;
  /** The short code to reserve, for a publication. */
  readonly shortCode: string | null;
  /** Counted only when the ask is new. */
  readonly hits: readonly Hit[];
};

export type AskOutcome =
  /** Kept now, or the same ask kept less than ten minutes ago; a capped or stopped address answers alike. */
  | { readonly kind: "kept"; readonly pending: Pending }
  | { readonly kind: "limited"; readonly retryAt: number }
  /** The short code is taken: draw another and ask again. */
  | { readonly kind: "code_taken" };

/** Rows that come to be when a pending action is confirmed. The store gives the alert its `publishedAt`. */
export type Effect = {
  readonly result: PendingResult;
  readonly alert?: Omit<Alert, "publishedAt">;
  readonly zone?: Zone;
  /** A conversation to open. */
  readonly conversation?: Conversation;
  /** A message to add, within the day's caps. */
  readonly message?: Message;
  /** Told to the owner by the effect's letter, if there is one. */
  readonly sighting?: Sighting;
  /** Counted when it is carried out. */
  readonly hits?: readonly Hit[];
  readonly links: readonly PrivateLink[];
  readonly letters: readonly Letter[];
};

export type SettleOutcome =
  | { readonly kind: "won" }
  /** It no longer waits: settled before, cancelled or out of time. */
  | { readonly kind: "late" }
  /** The alert or the sender has had the day's share of messages. It still waits. */
  | { readonly kind: "too_many_messages" }
  /** One of the effect's limits is full. It still waits. */
  | { readonly kind: "limited"; readonly retryAt: number }
  /** What the effect was made from has changed meanwhile. It still waits: make the effect anew. */
  | { readonly kind: "outdated" };

/** An alert that arrives without a letter: imported by the operator, or made up for a demonstration. */
export type BulkAlert = {
  readonly draft: AlertDraft;
  readonly ownerEmail: string | null;
  readonly language: Language;
  /** Its number where it came from. Kept once: the same source again changes nothing. */
  readonly source: string;
  readonly expiresAt: number;
  /** The owner's private link. */
  readonly link: PrivateLink | null;
  /** Whether zones hear of it. */
  readonly announce: boolean;
};

/** When the service last looked at its clock, and since when the clock has been steady. */
export type Heartbeat = { readonly at: number; readonly steadySince: number };

/** Rows of subjects read at once at most. */
export const SUBJECTS_MAX = 1_000;
/** Alerts that may still be one half of a pair. */
export const FINDABLE = ["active", "expired"] as const;
/** What matching reads of an alert, and by what it is known. */
export type KnownSubject = MatchSubject & { readonly id: string; readonly publishedAt: number };

/** All that is kept in memory of an active alert is learned from this. */
export type ActiveAlert = IndexedAlert & MatchSubject;
/** An alert's latest state: what is learned of it while it is active, nothing otherwise. */
export type LearnedChange =
  | { readonly kind: "put"; readonly alert: ActiveAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

/** A likely pair, its letters (each about the reader's own alert) and their private links. */
export type ToldPair = {
  readonly lostId: string;
  readonly foundId: string;
  readonly letters: readonly { readonly letter: Letter; readonly about: string }[];
  readonly links: readonly PrivateLink[];
};

/** Up to when things are dropped. */
export type Sweep = {
  /** What unconfirmed asks held is wiped when their time is over. */
  readonly now: number;
  /** Asks, closed letters, told news and ended zones older than this go. */
  readonly before: number;
  /** Counts against limits older than this go. */
  readonly hitsBefore: number;
  /** What moderators did before this is forgotten, and reports from before it that nobody looked at. */
  readonly deedsBefore: number;
};

/** What a zone has not been told yet. */
export type ZoneNews = {
  readonly zone: Zone;
  readonly alerts: readonly Alert[];
  /** How many there are in all. */
  readonly total: number;
  readonly lettersInLastHour: number;
};

/** A letter to a zone, the alerts it shows, and whether it speaks for all that is left to tell. */
export type ZoneLetter = {
  readonly letter: Letter;
  readonly alertIds: readonly string[];
  readonly andAllLeft: boolean;
};

/** A moderator's link or session, known by the hash of its token. */
export type AdminKey = {
  readonly tokenHash: string;
  readonly email: string;
  readonly expiresAt: number;
};

/** A link that erases all that is kept under a mailbox, known by the hash of its token. */
export type ErasureLink = {
  readonly tokenHash: string;
  readonly email: string;
  readonly expiresAt: number;
  /** Mark of a mailbox that confirmed nothing, whose letter counts as one that got no answer; null for any other. */
  readonly unconfirmedMark: string | null;
};

/** That somebody asked for a link by letter. */
export type LinkAsk = {
  /** Rises with time. */
  readonly id: string;
  readonly kind: DiscreetLink;
  readonly sealedEmail: string;
  readonly language: Language;
  readonly askedAt: number;
};
/** How an ask is dealt with; the hits are counted only when the letter goes. */
export type LinkAnswer = {
  readonly askId: string;
  readonly letter: Letter;
  readonly hits: readonly Hit[];
};

/** An erasure that was written down, and is carried out part by part. */
export type ErasureBegun = {
  readonly email: string;
  /** What came to be up to then goes. */
  readonly upTo: number;
  /** What there was. */
  readonly holdings: Holdings;
  /** How the store knows that it was written down. */
  readonly note: string;
};

/** How many letters wait. */
export type OutboxState = {
  readonly waiting: number;
  /** When the oldest of them was written; null when there is none. */
  readonly oldestAt: number | null;
  /** The earliest time one is due, which may lie ahead; a letter that is being sent is due again when its lease ends. */
  readonly dueSince: number | null;
};

/** `gone`: the conversation was erased meanwhile; `closed`: nobody can write in it any more; `too_many`: that side has had the day's share. */
export type ReplyOutcome = "kept" | "too_many" | "gone" | "closed";

/**
 * Everything that is kept. Each verb is atomic: all of it happened when its promise resolves, or nothing did when it
 * rejects. No verb looks at a clock. Lists have limits. What is not there is null.
 * Rejects with `Fault("unavailable")` when the disk is full or fails; the write may be repeated.
 */
export interface Store {
  // Alerts
  /** The alerts with these keys (`publishedAt`), in the order of the keys; keys without an alert are left out. */
  alertsByKeys(keys: readonly number[]): Promise<Alert[]>;
  /** Any status, removed ones too. */
  alert(ref: AlertRef): Promise<Alert | null>;
  /** Whether a short code was ever given out, to a pending publication too. */
  codeTaken(shortCode: string): Promise<boolean>;
  /** Where the history stands: what changes from now on has a greater revision. */
  revision(): Promise<number>;
  /** Active alerts as the index and matching read them, by rising key after this one; null: from the first. */
  activeAlerts(after: number | null, limit: number): Promise<ActiveAlert[]>;
  /** Confirmed zones that have not ended, by rising id after this one; null: from the first. */
  activeZones(after: string | null, limit: number): Promise<IndexedZone[]>;
  /** What changed after a revision, oldest first. `revision` is where to go on; `more` says whether to go on at once. */
  changesSince(
    revision: number,
    limit: number,
  ): Promise<{
    readonly alerts: readonly LearnedChange[];
    readonly zones: readonly ZoneChange[];
    readonly revision: number;
    readonly more: boolean;
  }>;
  /** Adds alerts in order, each once by its source; gives the sources that were new. A taken short code is an error. */
  addAlerts(alerts: readonly BulkAlert[], now: number): Promise<string[]>;

  // Pending actions
  ask(ask: Ask, now: number): Promise<AskOutcome>;
  pendingByToken(tokenHash: string): Promise<Pending | null>;
  /** Carries out the effect if the action still waits at `now`. */
  settle(pendingId: string, effect: Effect, now: number): Promise<SettleOutcome>;
  pending(id: string): Promise<Pending | null>;
  /** Sends a second letter, with a token of its own, about what still waits; false when there was one or it waits no more. */
  askAgain(
    pendingId: string,
    secondTokenHash: string,
    letter: Letter,
    now: number,
  ): Promise<boolean>;
  /**
   * Puts what still waits under another mailbox: the old ask ends, its letter is taken back, and this one is kept, a few
   * times at most. `late` otherwise.
   */
  readdress(
    pendingId: string,
    ask: Ask,
    now: number,
  ): Promise<Exclude<AskOutcome, { kind: "code_taken" }> | { readonly kind: "late" }>;
  /** Counts against limits when all have room; gives null then, else the time when the fullest opens again. */
  count(hits: readonly Hit[], now: number): Promise<number | null>;
  /** "This was not me": drops the action and what it holds, and stops letters to that address. */
  disown(pendingId: string, now: number): Promise<void>;
  /** Sends the address no more letters of the kind, and ends all that waits for it. */
  stopLetters(addressMark: string, now: number): Promise<void>;
  /** Lets letters go to the address again. */
  allowLetters(addressMark: string): Promise<void>;

  // Owners
  link(tokenHash: string, purpose: LinkPurpose): Promise<PrivateLink | null>;
  linkTo(purpose: LinkPurpose, subject: string): Promise<PrivateLink | null>;
  /** Changes the status if the alert is still as `seen` (its status and end). False when it is not. */
  moveAlert(seen: Alert, change: AlertChange, now: number): Promise<boolean>;
  /** Gives the alert other words, another place and other pictures, if it is still as `seen`. False when it is not. */
  editAlert(seen: Alert, draft: AlertDraft, now: number): Promise<boolean>;
  /** Alerts with this owner that are not removed, newest first. */
  alertsOwnedBy(email: string, limit: number): Promise<Alert[]>;
  /** Keeps how an animal came home, once for each alert, without what leads back to it. False when it was told before. */
  tellOutcome(alertId: string, outcome: Outcome): Promise<boolean>;
  outcomeTold(alertId: string): Promise<boolean>;
  /** Puts letters about alerts into the outbox, each to be withdrawn with its alert, whose owner its reader still is. */
  post(letters: readonly { readonly letter: Letter; readonly about: string }[]): Promise<void>;
  /** Wipes what the alert says, its owner, conversations, sightings, pairs, links and letters; keeps names and position. */
  removeAlert(id: string, now: number): Promise<void>;
  muteReminders(alertId: string): Promise<void>;
  zone(id: string): Promise<Zone | null>;
  /** Wipes the zone and its link. */
  endZone(id: string, now: number): Promise<void>;

  // Conversations
  conversation(id: string): Promise<Conversation | null>;
  conversationBetween(alertId: string, strangerMark: string): Promise<Conversation | null>;
  /** Oldest first. */
  messages(conversationId: string, limit: number): Promise<Message[]>;
  /** Adds an answer and its letter, the same text within ten minutes once. */
  addReply(message: Message, alertId: string, letter: Letter): Promise<ReplyOutcome>;
  /** From now on nobody writes in it. */
  closeConversation(id: string, now: number): Promise<void>;

  // Sightings
  /** Where and when the animal of an alert was seen, the last first. */
  sightings(alertId: string, limit: number): Promise<Sighting[]>;

  // Pairs
  /** What matching reads of the alerts with these keys, in no order; at most `SUBJECTS_MAX`. */
  subjectsByKeys(keys: readonly number[]): Promise<KnownSubject[]>;
  /** Alerts with this chip that can still be found by name and are not resolved. */
  alertsByChip(chipHash: string, limit: number): Promise<Alert[]>;
  /** Active alerts that were not compared with the other kind since they went live or were changed, oldest first. */
  uncompared(limit: number): Promise<Alert[]>;
  /** Ids of the alerts that were said not to be the same animal as this one. */
  endedPairs(alertId: string, limit: number): Promise<string[]>;
  /**
   * Notes that the alert was compared, unless it changed after it was read, and puts the letters of pairs that nobody
   * was told of into the outbox; an alert whose owner wants no letters about matches gets none, and a pair of which one
   * was removed meanwhile is left out.
   */
  tellPairs(
    alert: Pick<Alert, "id" | "updatedAt">,
    pairs: readonly ToldPair[],
    now: number,
  ): Promise<void>;
  /** "Not my pet": the pair never comes back. */
  endPair(lostId: string, foundId: string, now: number): Promise<void>;
  muteMatches(alertId: string): Promise<void>;

  // Moderation
  /**
   * Keeps a report, the same one once while it is open. Only a new one counts against the limits: gives the time when
   * the fullest opens again if it was not kept for that. What it is about may be gone: then nothing is kept.
   */
  addReport(report: Report, hits: readonly Hit[]): Promise<number | null>;
  /** Newest first. */
  openReports(limit: number): Promise<Report[]>;
  /** All that was told of alerts and is still kept, whether somebody looked at it or not; newest first. */
  reportsAbout(alertIds: readonly string[], limit: number): Promise<Report[]>;
  /** Newest first. */
  hiddenAlerts(limit: number): Promise<Alert[]>;
  /** How many alerts of a mailbox can be seen; of one as `mailboxAsCounted` gives it. */
  countShown(counted: string): Promise<number>;
  /** What moderators did, newest first. */
  deeds(limit: number): Promise<DeedLine[]>;
  /**
   * Carries a moderator's act out, writes it down and closes the reports about what it touched; false when the act is
   * not open to the alert as it stands, or was done before.
   *
   * A hidden alert is in no index, and letters that show it to others are taken back. A restored one is what it was,
   * or expired when its time is over or its owner was erased. A blocked mailbox gets no more confirmation letters, what
   * it waits for ends, its alerts are hidden and its conversations closed.
   */
  moderate(deed: Deed): Promise<boolean>;
  /** Deals with an ask: keeps a moderator's way in, and the letter that tells it, if the limits have room. */
  addAdminLink(link: AdminKey, answer: LinkAnswer, now: number): Promise<void>;
  /** Makes a session of a link that is still good. False when it is not, or somebody was first. */
  openAdminSession(
    linkHash: string,
    session: Omit<AdminKey, "email">,
    now: number,
  ): Promise<boolean>;
  /** The moderator's mailbox; null when the session is over. */
  adminSession(tokenHash: string, now: number): Promise<string | null>;
  endAdminSession(tokenHash: string): Promise<void>;

  // Links by letter
  /** Notes an ask when all limits have room; gives null then, else the time when the fullest opens again. */
  askForLink(ask: LinkAsk, hits: readonly Hit[], now: number): Promise<number | null>;
  /** What was asked for and not dealt with, oldest first. */
  linkAsks(limit: number): Promise<LinkAsk[]>;
  /** Deals with an ask: nobody gets a letter. */
  dropLinkAsk(id: string): Promise<void>;

  // Erasing
  /** What is kept under exactly this mailbox, whatever its case. */
  holdings(email: string): Promise<Holdings>;
  /** Sealed tokens of the private links to conversations that an erasure would take, of both sides. */
  conversationLinks(email: string): Promise<string[]>;
  /** Whether anything is kept under exactly this mailbox, whatever its case, and whether it confirmed any of it. */
  acquaintance(email: string): Promise<"confirmed" | "unconfirmed" | "none">;
  /**
   * Deals with an ask: keeps a link that erases, and the letter that tells it, if the limits have room. A mailbox that
   * confirmed nothing gets none either when it gets no confirmation letter.
   */
  addErasureLink(link: ErasureLink, answer: LinkAnswer, now: number): Promise<void>;
  /** What a link is for or has done; null when it is not known, or its time is over at `now`. */
  erasureLink(
    tokenHash: string,
    now: number,
  ): Promise<
    | ({ readonly state: "waiting" } & Omit<ErasureLink, "tokenHash">)
    | ({ readonly state: "done"; readonly erased: Holdings } & Pick<ErasureLink, "unconfirmedMark">)
    | null
  >;
  /**
   * Writes down that all that is kept under exactly this mailbox, whatever its case, goes. From then on it goes,
   * whatever happens: by `continueErasure`, and where that was cut short by `eraseAgain`.
   */
  beginErasure(email: string, now: number): Promise<ErasureBegun>;
  /**
   * Erases a part, `limit` alerts at most; says whether that was the last of it. Alerts are removed, zones ended;
   * conversations that the mailbox began go with their messages, for both sides; what waits ends, letters to it and
   * letters that carry its messages are taken back. In the end its erasure links are used up, and keep what there was.
   * Only keyed hashes of it stay.
   */
  continueErasure(begun: ErasureBegun, limit: number, now: number): Promise<boolean>;
  /**
   * What was erased, removed or ended for good is written down outside what a backup puts back. This erases it once
   * more where it came back, and gives how much that was; what came to be later stays. To be done before anything
   * else; where nothing came back it costs nothing.
   */
  eraseAgain(
    now: number,
  ): Promise<{ readonly alerts: number; readonly zones: number; readonly mailboxes: number }>;
  /** Forgets what was written down for `eraseAgain` before this time. */
  forgetTombstones(before: number): Promise<void>;

  /**
   * Where somebody read the database while a verb erased, as a backup does, the disk holds what was erased until they
   * have ended. Sees to it then; to be called again and again. Costs nothing where nothing is left.
   */
  wipeTraces(): Promise<void>;

  // Pictures
  /** Whether an alert shows it that can be seen. */
  photoIsPublic(name: string): Promise<boolean>;
  /** Which of these an alert or a waiting action uses. */
  photosInUse(names: readonly string[]): Promise<string[]>;
  /** Pictures that were used and are no more; their files are to be deleted. */
  photosGone(limit: number): Promise<string[]>;
  /** Their files are deleted, or were handed in anew. */
  forgetPhotos(names: readonly string[]): Promise<void>;

  // Exports
  /** Alerts of any status in the order they went live, after this key; null: from the first. */
  alertsAfter(publishedAt: number | null, limit: number): Promise<Alert[]>;
  /** How animals came home in the order it was told, after this number; 0: from the first. */
  outcomesAfter(
    number: number,
    limit: number,
  ): Promise<{ readonly number: number; readonly outcome: Outcome }[]>;

  // What time brings
  /** The time of the last tick, and since when time has passed without a jump; null before the first. */
  heartbeat(): Promise<Heartbeat | null>;
  beat(heartbeat: Heartbeat): Promise<void>;
  /** Live alerts zones have not been told about, oldest first. */
  unannounced(limit: number): Promise<Alert[]>;
  /**
   * Notes that these zones shall hear of the alert, each once; zones that ended meanwhile are left out. While `more` of
   * its zones follow, the alert stays unannounced.
   */
  announce(
    alertId: string,
    zoneIds: readonly string[],
    now: number,
    which?: { readonly more: boolean },
  ): Promise<void>;
  /**
   * Zones with news that may be told now, oldest news first: not those that had their letters of the last hour, nor
   * those whose last hour had a letter that gathered several alerts. Where much news waits, each call looks through a
   * part of it, the next one through the next.
   */
  zonesWithNews(now: number, limit: number): Promise<string[]>;
  /** What a zone has not been told yet, newest first, at most `limit`; alerts that ended or are its own do not count. */
  zoneNews(zoneId: string, now: number, limit: number): Promise<ZoneNews | null>;
  /**
   * Puts zone letters into the outbox and marks the alerts they show as told, and all others when a letter speaks for
   * what is left; what is in no letter then is marked all the same. Does nothing when an alert shown is live no more.
   */
  tellZone(zoneId: string, letters: readonly ZoneLetter[], now: number): Promise<void>;
  /** Active, owned, unmuted alerts, imported ones apart, that end within `withinMs` of `now` and got no reminder for that distance. */
  dueReminders(now: number, withinMs: number, limit: number): Promise<Alert[]>;
  /** Puts a reminder into the outbox, once per alert, end and distance, if the alert is still as seen. */
  remind(
    alert: Alert,
    withinMs: number,
    letter: Letter,
    links: readonly PrivateLink[],
  ): Promise<void>;
  /** Ends active alerts whose time is over; gives how many. */
  expireAlerts(now: number, limit: number): Promise<number>;
  /** Erases owners, conversations, sightings, pairs and links of alerts that ended before `endedBefore`; gives how many alerts. */
  eraseEnded(endedBefore: number, now: number, limit: number): Promise<number>;
  /** Drops what nobody needs any more, a batch of each kind: see `Sweep`. */
  sweep(sweep: Sweep, limit: number): Promise<void>;

  // Letters
  /**
   * Due letters, leased until `now + leaseMs` so that no other worker takes them; oldest first. Those to mailboxes of
   * the domains to leave stay where they are.
   */
  leaseLetters(
    now: number,
    leaseMs: number,
    limit: number,
    domainsToLeave?: readonly string[],
  ): Promise<Letter[]>;
  /** Sent or given up: what it said is wiped, that it was is kept. */
  closeLetter(id: string, outcome: "sent" | "refused" | "given_up", now: number): Promise<void>;
  /** Not now: due again at `dueAt`, and nobody holds it. */
  postponeLetter(id: string, dueAt: number): Promise<void>;
  /** See `OutboxState`. */
  outboxState(): Promise<OutboxState>;

  /** Whether the database answers. */
  alive(): Promise<boolean>;
  close(): Promise<void>;
}
