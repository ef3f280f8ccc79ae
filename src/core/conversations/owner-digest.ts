import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { emailTo } from "../email.ts";
import type { Ports } from "./ports.ts";
import { emailSighting, type EmailSighting, toSightingView } from "../sightings/sighting.ts";
import type { OwnerNews } from "./conversation-store.ts";

/** To the owner: messages and sightings that were not emailed immediately, and the count of more. */
export type OwnerDigestEmail = {
  readonly kind: "digest";
  readonly alert: EmailAlert;
  readonly conversations: readonly {
    /** Name given by the writer, or null. */
    readonly name: string | null;
    /** Beginning of the newest message. */
    readonly text: string;
    /** Count of the photos of that message. */
    readonly photos: number;
    readonly messages: number;
    readonly sealedToken: string;
  }[];
  readonly moreConversations: number;
  readonly sightings: readonly EmailSighting[];
  readonly moreSightings: number;
  /** Null for an alert without a manage link. */
  readonly sealedManage: string | null;
  /** Slug of the organisation that owns the alert; null for a private person. */
  readonly organisation: string | null;
};

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
    const email = emailTo(ports.random, { to, language }, content, now);
    // Conversations left out stay unread news: the owner's page is limited too and may not list them.
    const shown = news.conversations.map(({ id }) => id);
    await ports.store.addOwnerDigest(news, email, shown, now);
  }
}

function digestOf(
  ports: Ports,
  { alert, conversations, total, sightings, sightingsTotal }: OwnerNews,
  sealedManage: string | null,
): OwnerDigestEmail {
  return {
    kind: "digest",
    alert: emailAlert(alert),
    conversations: conversations.map(({ strangerName, text, photos, messages, sealedToken }) => ({
      name: strangerName,
      text: excerpt(text),
      photos,
      messages,
      sealedToken,
    })),
    moreConversations: total - conversations.length,
    sightings: sightings.map((seen) =>
      emailSighting(toSightingView(seen, alert.point, ports.gazetteer)),
    ),
    moreSightings: sightingsTotal - sightings.length,
    sealedManage,
    organisation: alert.organisation,
  };
}

/** Beginning of a text, cut between characters. */
export function excerpt(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= EXCERPT_MAX) return text;
  return `${characters.slice(0, EXCERPT_MAX).join("").trimEnd()}…`;
}
