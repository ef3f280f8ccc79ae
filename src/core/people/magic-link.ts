import type { Language } from "../../messages/languages.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { maskedMailbox, recipient } from "../input.ts";
import { emailTo } from "../email.ts";
import { callerNetwork } from "../ip-address.ts";
import { type Caller, callerHits, hashNetwork, type LimitPorts, tooMany } from "../limits.ts";
import { hashMailbox } from "./mailbox-spelling.ts";
import type { Instance, Secrets } from "../instance.ts";
import type { LinkAnswer, LinkRequest, LinkStore, MagicLink } from "./link-store.ts";
import { newToken } from "./private-link.ts";

type EmailedLink = { readonly sealedToken: string; readonly expiresAt: number };
/** To a moderator, or a member of an organisation, on request: the sign-in link. */
export type SignInEmail = EmailedLink & { readonly kind: "admin" | "inbox" };
/** On request: the link that erases all data of the reader. */
export type ErasureEmail = EmailedLink & {
  readonly kind: "erase";
  /** True if the reader has never confirmed anything and can stop such emails. */
  readonly canStop: boolean;
};

/** Lifetime of a sign-in link: as long as its email counts, so that a mailbox whose emails were used up has links that work. */
export const SIGN_IN_MS = DAY_MS;

/** Ports of requests for a link. */
type LinkRequestPorts = Pick<Instance, "clock" | "random" | "secrets"> &
  LimitPorts & { readonly store: Pick<LinkStore, "addLinkRequest"> };

/** Age beyond which a request is dropped, after downtime or a restore. */
const REQUEST_MS = HOUR_MS;
const REQUESTS_PER_TICK = 100;

/**
 * Stores a request for a link. `createMagicLinks` later decides in a job if one is sent, so that neither the answer nor
 * its timing reveals which mailboxes are known. Throws `too_many` beyond the caller's limit, whatever the address.
 */
export async function requestMagicLink(
  ports: LinkRequestPorts,
  kind: MagicLink,
  input: { email: string; language?: Language | undefined; part?: number | undefined },
  caller: Caller,
): Promise<{ readonly sentTo: string }> {
  const now = ports.clock();
  const address = recipient(input.email);
  const request: LinkRequest = {
    id: ports.random.id(),
    kind,
    sealedRequester: sealRequester(ports.secrets, {
      email: address,
      networkHash: hashNetwork(ports.secrets, callerNetwork(caller.address)),
    }),
    language: input.language ?? "en",
    part: input.part ?? 1,
    askedAt: now,
  };
  const hits = callerHits(ports, kind, CAPS.linkRequestsPerClient, caller);
  const retryAt = await ports.store.addLinkRequest(request, hits, now);
  if (retryAt !== null) throw tooMany(ports, kind, retryAt, now);
  return { sentTo: maskedMailbox(address) };
}

/** Mailbox that is to get a link, and keyed hash of the network that asked for it. */
type Requester = { readonly email: string; readonly networkHash: string };

function sealRequester(secrets: Secrets, { email, networkHash }: Requester): string {
  return secrets.seal("link-request", `${networkHash} ${email}`);
}

function unsealRequester(secrets: Secrets, sealed: string): Requester | null {
  const text = secrets.unseal("link-request", sealed);
  if (text === null) return null;
  const end = text.indexOf(" ");
  return { networkHash: text.slice(0, end), email: text.slice(end + 1) };
}

/** Requester of a link, and the language and part of the email. */
export type LinkRequester = Requester & {
  readonly requestId: string;
  readonly language: Language;
  readonly part: number;
};

/** Job that answers link requests, oldest first. A failing one does not stop the others; errors are thrown at the end. */
export function createMagicLinks(
  {
    store,
    secrets,
    yieldToEventLoop,
  }: Pick<Instance, "secrets" | "yieldToEventLoop"> & {
    readonly store: Pick<LinkStore, "linkRequests" | "dropLinkRequest">;
  },
  answers: Readonly<Record<MagicLink, (requester: LinkRequester, now: number) => Promise<void>>>,
): (now: number) => Promise<void> {
  async function answer({ id, kind, sealedRequester, askedAt, ...rest }: LinkRequest, now: number) {
    const requester = unsealRequester(secrets, sealedRequester);
    if (requester === null || now - askedAt > REQUEST_MS) await store.dropLinkRequest(id);
    else await answers[kind]({ requestId: id, ...requester, ...rest }, now);
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

/**
 * Limits of the emails with links to a mailbox. Anybody can ask for them in its name: some are kept for networks that have
 * caused none, and the links of those that were sent still work.
 */
export function linkLimits(
  secrets: Pick<Secrets, "keyedHash">,
  kind: Exclude<MagicLink, "erase">,
  { email, networkHash }: Requester,
): Required<Pick<LinkAnswer, "hits" | "alternatives">> {
  const mailbox = `${kind}:to:${hashMailbox(secrets, email)}`;
  return {
    hits: [{ key: mailbox, ...CAPS.linkEmailsPerMailbox }],
    alternatives: [
      [
        { key: `${mailbox}:all`, ...CAPS.linkEmailsPerMailboxInAll },
        { key: `${mailbox}:${networkHash}`, ...CAPS.linkEmailsPerMailboxAndNewNetwork },
      ],
    ],
  };
}

/** New link, and the email that carries it. */
export function newMagicLink(
  { random, secrets }: Pick<Instance, "random" | "secrets">,
  reader: { readonly to: string; readonly language: Language },
  lifeMs: number,
  content: Omit<SignInEmail, keyof EmailedLink> | Omit<ErasureEmail, keyof EmailedLink>,
  now: number,
) {
  const token = newToken(random);
  const expiresAt = now + lifeMs;
  const complete = { ...content, sealedToken: secrets.seal(content.kind, token), expiresAt };
  return {
    link: { tokenHash: secrets.tokenHash(token), email: reader.to, expiresAt },
    email: emailTo(random, reader, complete, now, expiresAt),
  };
}
