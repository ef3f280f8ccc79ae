import type { Language } from "./alerts/alert.ts";
import { CAPS } from "./caps.ts";
import { HOUR_MS } from "./duration.ts";
import { maskedMailbox, recipient } from "./input.ts";
import { type Email, emailTo } from "./email.ts";
import { type Caller, callerHits, type Hit, tooMany } from "./limits.ts";
import type { Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";

/**
 * Kinds of link that anyone may request and only the entitled mailbox receives: the sign-in of a moderator, or of a member
 * of an organisation ("inbox"), an erasure, or an owner's manage links.
 */
export type MagicLink = "admin" | "inbox" | "erase" | "links";

/** Request for a link by email. */
export type LinkRequest = {
  /** Ordered by time. */
  readonly id: string;
  readonly kind: MagicLink;
  readonly sealedEmail: string;
  readonly language: Language;
  /** Part of a list too long for one email, from 1. */
  readonly part: number;
  readonly askedAt: number;
};
/** Answer to a link request. Its emails are sent, and its hits counted once, only if its limits have room. */
export type LinkAnswer = {
  readonly requestId: string;
  /** One to the requester; several to a member whose address was spelled in several ways. */
  readonly emails: readonly [Email, ...Email[]];
  readonly hits: readonly Hit[];
  /** Alternative limits: if these have room the emails are sent although `hits` are full. Counted like the others. */
  readonly alternativeHits?: readonly Hit[];
};

/** Age beyond which a request is dropped, after downtime or a restore. */
const REQUEST_MS = HOUR_MS;
const REQUESTS_PER_TICK = 100;

/**
 * Stores a request for a link. `createMagicLinks` later decides in a job if one is sent, so that neither the answer nor
 * its timing reveals which mailboxes are known. Throws `too_many` beyond the caller's limit, whatever the address.
 */
export async function requestMagicLink(
  ports: Ports,
  kind: MagicLink,
  input: { email: string; language?: Language | undefined; part?: number | undefined },
  caller: Caller,
): Promise<{ readonly sentTo: string }> {
  const now = ports.clock();
  const address = recipient(input.email);
  const request: LinkRequest = {
    id: ports.dice.id(),
    kind,
    sealedEmail: ports.secrets.seal("link-request", address),
    language: input.language ?? "en",
    part: input.part ?? 1,
    askedAt: now,
  };
  const hits = callerHits(ports, kind, CAPS.linkRequestsPerClient, caller);
  const retryAt = await ports.store.addLinkRequest(request, hits, now);
  if (retryAt !== null) throw tooMany(ports, kind, retryAt, now);
  return { sentTo: maskedMailbox(address) };
}

/** Requester of a link, and the language and part of the email. */
export type LinkRequester = {
  readonly requestId: string;
  readonly email: string;
  readonly language: Language;
  readonly part: number;
};

/** Job that answers link requests, oldest first. A failing one does not stop the others; errors are thrown at the end. */
export function createMagicLinks(
  { store, secrets, yieldToEventLoop }: Ports,
  answers: Readonly<Record<MagicLink, (requester: LinkRequester, now: number) => Promise<void>>>,
): (now: number) => Promise<void> {
  async function answer({ id, kind, sealedEmail, askedAt, ...rest }: LinkRequest, now: number) {
    const email = secrets.unseal("link-request", sealedEmail);
    if (email === null || now - askedAt > REQUEST_MS) await store.dropLinkRequest(id);
    else await answers[kind]({ requestId: id, email, ...rest }, now);
  }

  return async (now) => {
    const errors: unknown[] = [];
    for (const request of await store.linkRequests(REQUESTS_PER_TICK)) {
      await answer(request, now).catch((error: unknown) => errors.push(error));
      await yieldToEventLoop();
    }
    if (errors.length > 0) throw new AggregateError(errors, "some link requests failed");
  };
}

/** New link, and the email that carries it. */
export function newMagicLink(
  { dice, secrets }: Pick<Ports, "dice" | "secrets">,
  reader: { readonly to: string; readonly language: Language },
  lifeMs: number,
  content:
    { readonly kind: "admin" | "inbox" } | { readonly kind: "erase"; readonly canStop: boolean },
  now: number,
) {
  const token = newToken(dice);
  const expiresAt = now + lifeMs;
  const complete = { ...content, sealedToken: secrets.seal(content.kind, token), expiresAt };
  return {
    link: { tokenHash: secrets.tokenHash(token), email: reader.to, expiresAt },
    email: emailTo(dice, reader, complete, now, expiresAt),
  };
}
