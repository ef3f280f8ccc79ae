import type { Language } from "./alert.ts";
import { HOUR_MS } from "./duration.ts";
import { maskedMailbox, recipient } from "./input.ts";
import type { Letter } from "./letter.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import type { Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";
import type { LinkAsk } from "./store.ts";

/** A link that anybody may ask for and only some get, by letter: a moderator's way in, or what erases a person. */
export type DiscreetLink = "admin" | "erase";

/** Asking, by caller. */
const ASK_RATE = { max: 10, windowMs: HOUR_MS };
/** What is older when the service gets to it, after a stop or out of a backup, brings nobody a letter any more. */
const ASK_MS = HOUR_MS;
/** Asks that one tick deals with. */
const ASKS_A_TICK = 100;

/**
 * Notes that somebody asked for a link. Who gets one is found out by `createAnswering`, when nobody waits for it: whoever
 * asks learns not from the answer, nor from the time it takes, which mailboxes are known here. Throws `too_many` by what
 * the caller asked, whatever the address.
 */
export async function askDiscreetly(
  ports: Pick<Ports, "store" | "vault" | "dice" | "clock" | "sharedNetworks" | "heldBack">,
  kind: DiscreetLink,
  { email, language = "en" }: { email: string; language?: Language | undefined },
  caller: Caller,
): Promise<{ readonly sentTo: string }> {
  const { store, vault, dice, sharedNetworks } = ports;
  const now = ports.clock();
  const address = recipient(email);
  const ask = { id: dice.id(), kind, sealedEmail: vault.seal(address), language, askedAt: now };
  const hits = callerHits(kind, ASK_RATE, caller, sharedNetworks, vault);
  const retryAt = await store.askForLink(ask, hits, now);
  if (retryAt !== null) throw tooMany(ports, kind, retryAt, now);
  return { sentTo: maskedMailbox(address) };
}

/** Who asked for a link, and how their letter is to read. */
export type Asker = { readonly askId: string; readonly email: string; readonly language: Language };

/** Deals with what was asked for: each kind in its own way, oldest first. Throws what went wrong when all had their turn. */
export function createAnswering(
  { store, vault, turn }: Pick<Ports, "store" | "vault" | "turn">,
  answers: Readonly<Record<DiscreetLink, (asker: Asker, now: number) => Promise<void>>>,
): (now: number) => Promise<void> {
  async function answer({ id, kind, sealedEmail, language, askedAt }: LinkAsk, now: number) {
    const email = vault.unseal(sealedEmail);
    if (email === null || now - askedAt > ASK_MS) await store.dropLinkAsk(id);
    else await answers[kind]({ askId: id, email, language }, now);
  }

  return async (now) => {
    const errors: unknown[] = [];
    for (const ask of await store.linkAsks(ASKS_A_TICK)) {
      await answer(ask, now).catch((error: unknown) => errors.push(error));
      await turn();
    }
    if (errors.length > 0) throw new AggregateError(errors, "some asks for links failed");
  };
}

/** A fresh link, and the letter that tells it to its reader. */
export function discreetLink(
  { dice, vault }: Pick<Ports, "dice" | "vault">,
  reader: { readonly to: string; readonly language: Language },
  lifeMs: number,
  content: { readonly kind: "admin" } | { readonly kind: "erase"; readonly canStop: boolean },
  now: number,
) {
  const token = newToken(dice);
  const expiresAt = now + lifeMs;
  const letter: Letter = {
    id: dice.id(),
    ...reader,
    content: { ...content, sealedToken: vault.seal(token), expiresAt },
    createdAt: now,
    giveUpAt: expiresAt,
  };
  return { link: { tokenHash: vault.tokenHash(token), email: reader.to, expiresAt }, letter };
}
