import type { AlertNames } from "./alert.ts";
import { type Asked, confirmationLetter } from "./asking.ts";
import { Fault } from "./fault.ts";
import { mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import type { PendingKind } from "./letter.ts";
import { type Caller, hitsFor, tooMany } from "./limit.ts";
import { ASK_AGAIN_MS, CONFIRM_MS, type Pending, READDRESSED_MAX } from "./pending.ts";
import type { Removed } from "./publication.ts";
import type { Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";

/** How something that was asked stands, for whoever asked. The same whether or not a letter went out. */
export type WaitingView = {
  readonly kind: PendingKind;
  /** `over`: the link has expired, or its reader said "this was not me". */
  readonly state: "waiting" | "confirmed" | "over";
  /** Masked; null once nothing waits. */
  readonly sentTo: string | null;
  readonly expiresAt: number;
  /** What was taken out of the text. */
  readonly removed: readonly Removed[];
  /** What a publication will be known by. */
  readonly names: AlertNames | null;
  /** From when on the letter may be asked for once more; null when it was. */
  readonly againAt: number | null;
  readonly canCorrect: boolean;
};

/** The page after asking: nothing is live yet. All throw `not_found` for a ticket that is none. */
export function createWaiting(ports: Ports) {
  async function opened(ticket: string): Promise<Pending> {
    const id = ports.vault.unseal(ticket);
    const pending = id === null ? null : await ports.store.pending(id);
    if (pending === null) throw new Fault("not_found", { reason: "link_dead" });
    return pending;
  }

  function answered({ id, email, expiresAt }: Pending): Asked {
    return {
      sentTo: maskedMailbox(email),
      expiresAt,
      removed: [],
      ticket: ports.vault.seal(id),
    };
  }

  return {
    async waiting(ticket: string): Promise<WaitingView> {
      return viewOf(await opened(ticket), ports.clock());
    },

    /**
     * Sends the letter once more. Throws `conflict` when it was sent twice or waits no more, `too_many` before a minute
     * has passed.
     */
    async askAgain(ticket: string): Promise<void> {
      const pending = await opened(ticket);
      const now = ports.clock();
      const againAt = pending.createdAt + ASK_AGAIN_MS;
      if (now < againAt && now >= pending.createdAt) throw tooMany(ports, "again", againAt, now);
      const token = newToken(ports.dice);
      const code = await codeOf(ports, pending);
      const letter = confirmationLetter(ports, pending, code, token, now);
      const isSent = await ports.store.askAgain(
        pending.id,
        ports.vault.tokenHash(token),
        letter,
        now,
      );
      if (!isSent) throw new Fault("conflict", { reason: "sent_twice" });
    },

    /**
     * Asks the same under another address, and drops what was asked under the mistyped one. Throws `bad_input`,
     * `too_many`, and `conflict` when it waits no more or was corrected often enough.
     */
    async correctAddress(ticket: string, email: string, caller: Caller): Promise<Asked> {
      const old = await opened(ticket);
      const now = ports.clock();
      const address = recipient(email);
      if (address === old.email) return answered(old);
      const addressMark = ports.vault.mark("address", mailboxAsCounted(address));
      const token = newToken(ports.dice);
      const pending: Pending = {
        ...old,
        id: ports.dice.id(),
        tokenHash: ports.vault.tokenHash(token),
        email: address,
        addressMark,
        contentMark: ports.vault.mark("content", JSON.stringify([old.contentMark, address])),
        payload: readdressed(old, address),
        createdAt: now,
        expiresAt: now + CONFIRM_MS,
        askedAgain: false,
      };
      const outcome = await ports.store.readdress(
        old.id,
        {
          pending,
          letter: confirmationLetter(ports, pending, await codeOf(ports, old), token, now),
          shortCode: null,
          hits: hitsFor(
            old.kind,
            caller,
            addressMark,
            ports.rates,
            ports.sharedNetworks,
            ports.vault,
          ),
        },
        now,
      );
      switch (outcome.kind) {
        case "kept":
          return answered(outcome.pending);
        case "limited":
          throw tooMany(ports, old.kind, outcome.retryAt, now);
        case "late":
          throw new Fault("conflict", { reason: "address_fixed" });
      }
    },
  };
}

function viewOf(pending: Pending, now: number): WaitingView {
  const { kind, state, expiresAt, names, email, createdAt, askedAgain, payload } = pending;
  const waits = state === "waiting" && payload !== null && expiresAt > now;
  return {
    kind,
    state: waits ? "waiting" : state === "confirmed" ? "confirmed" : "over",
    sentTo: waits ? maskedMailbox(email) : null,
    expiresAt,
    removed: payload !== null && "removed" in payload ? payload.removed : [],
    names,
    againAt: waits && !askedAgain ? createdAt + ASK_AGAIN_MS : null,
    canCorrect: waits && pending.readdressed < READDRESSED_MAX,
  };
}

/** A zone holds its reader's address inside. */
function readdressed({ payload }: Pending, email: string): Pending["payload"] {
  return payload?.kind === "zone" ? { ...payload, zone: { ...payload.zone, email } } : payload;
}

/** The code of the alert the letter is about; null for a zone. */
async function codeOf(ports: Ports, { names, payload }: Pending): Promise<string | null> {
  if (payload === null || !("alertId" in payload)) return names?.shortCode ?? null;
  const alert = await ports.store.alert({ by: "id", id: payload.alertId });
  return alert?.shortCode ?? null;
}
