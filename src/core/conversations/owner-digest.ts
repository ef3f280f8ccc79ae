import type { Alert } from "../alerts/alert.ts";
import { emailAlert, type Email, type EmailContent, emailTo } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { Ports } from "../ports.ts";
import { type Sighting, toSightingView } from "../sightings/sighting.ts";

/** Email to the owner of an alert, sent at once while its limits have room; otherwise the content goes into the next digest. */
export type OwnerEmail = { readonly email: Email; readonly hits: readonly Hit[] };

/** Entry of the owner's list of conversations. */
export type ConversationSummary = {
  readonly id: string;
  readonly strangerName: string | null;
  /** Newest message. */
  readonly text: string;
  readonly at: number;
  /** Count of messages. */
  readonly messages: number;
  /** Owner's private link to it. */
  readonly sealedToken: string;
};

/** Page of conversations, taking the newest of each network in turn. */
export type ConversationPage = {
  readonly conversations: readonly ConversationSummary[];
  /** Count on all pages. */
  readonly total: number;
};

/** Messages and sightings not yet emailed to the owner, taking the newest of each network in turn. */
export type OwnerNews = ConversationPage & {
  readonly alert: Alert;
  readonly sightings: readonly Sighting[];
  readonly sightingsTotal: number;
  /** Extent of the read: news that arrives later waits for the next digest. */
  readonly read: { readonly upTo: number; readonly count: number };
};

/** News for owners' digests. */
export interface OwnerNewsStore {
  /** Page of conversations about an alert, each with the stranger's newest message. Beyond the last page it is empty with total 0. */
  conversationsAbout(alertId: string, limit: number, offset: number): Promise<ConversationPage>;
  /** Ids of alerts with news that may be emailed now, the longest waiting first. */
  alertsWithOwnerNews(now: number, limit: number): Promise<string[]>;
  /** At most `limit` conversations and as many sightings; null if there is no news or no owner. */
  ownerNews(alertId: string, limit: number): Promise<OwnerNews | null>;
  /**
   * Queues a digest and marks its news as delivered: all sightings, which are public, and these conversations; the others
   * wait for the next digest. Does nothing if some of the news, or the owner, has been erased.
   */
  addOwnerDigest(
    news: Pick<OwnerNews, "alert" | "read">,
    email: Email,
    conversationIds: readonly string[],
    now: number,
  ): Promise<void>;
}

/** Maximum of conversations, and of sightings, in one digest. */
const DIGEST_ENTRIES_MAX = 10;
/** Length in characters of a message excerpt. */
const EXCERPT_MAX = 300;
const DIGESTS_PER_TICK = 20;

/** Sends owners digests of messages and sightings that were not emailed immediately. */
export async function sendOwnerDigests(ports: Ports, now: number): Promise<void> {
  for (const alertId of await ports.store.alertsWithOwnerNews(now, DIGESTS_PER_TICK)) {
    await ports.yieldToEventLoop();
    const news = await ports.store.ownerNews(alertId, DIGEST_ENTRIES_MAX);
    if (news === null || news.alert.ownerEmail === null) continue;
    const manage = await ports.store.linkTo("manage", alertId);
    const content = digestOf(ports, news, manage?.sealed ?? null);
    const { ownerEmail: to, language } = news.alert;
    const email = emailTo(ports.dice, { to, language }, content, now);
    // Conversations left out stay unread news: the owner's page is limited too and may not list them.
    const shown = news.conversations.map(({ id }) => id);
    await ports.store.addOwnerDigest(news, email, shown, now);
  }
}

function digestOf(
  ports: Ports,
  { alert, conversations, total, sightings, sightingsTotal }: OwnerNews,
  sealedManage: string | null,
): EmailContent {
  return {
    kind: "digest",
    alert: emailAlert(alert),
    conversations: conversations.map(({ strangerName, text, messages, sealedToken }) => ({
      name: strangerName,
      text: excerpt(text),
      messages,
      sealedToken,
    })),
    moreConversations: total - conversations.length,
    sightings: sightings.map((seen) => {
      const { city, distanceKm, seenAt, note } = toSightingView(seen, alert.point, ports.gazetteer);
      return { city, distanceKm, seenAt, note };
    }),
    moreSightings: sightingsTotal - sightings.length,
    sealedManage,
  };
}

/** Beginning of a text, cut between characters. */
export function excerpt(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= EXCERPT_MAX) return text;
  return `${characters.slice(0, EXCERPT_MAX).join("").trimEnd()}…`;
}
