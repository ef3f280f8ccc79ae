import { emailAlert, emailSighting, type EmailContent, emailTo } from "../email.ts";
import type { Ports } from "../ports.ts";
import { toSightingView } from "../sightings/sighting.ts";
import type { OwnerNews } from "./conversation-store.ts";

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
