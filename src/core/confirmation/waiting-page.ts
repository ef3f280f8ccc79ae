import type { AlertNames } from "../alerts/alert.ts";
import { confirmationEmailFor, receiptOf, type RequestReceipt } from "./request.ts";
import { STOCKS } from "../caps.ts";
import { codeOf } from "./email-queue.ts";
import type { ResentEmail } from "./email-store.ts";
import { Fault } from "../fault.ts";
import { maskedMailbox, recipient } from "../input.ts";
import type { PendingKind } from "../email.ts";
import { hashAddress } from "../mailbox-hash.ts";
import { type Caller, hitsFor, hashNetwork, throttleFor, tooMany } from "../limits.ts";
import {
  RESEND_WINDOW_MS,
  CONFIRM_MS,
  namesInDraft,
  type Pending,
  requestEndsAt,
} from "./pending.ts";
import type { Removed } from "../alerts/publication.ts";
import type { Ports } from "../ports.ts";
import { newToken } from "../private-link.ts";

/** State of a request, for its requester. The same whether or not an email was sent. */
export type RequestStatus = {
  readonly kind: PendingKind;
  /** `over`: the link has expired, or its reader said "this was not me". */
  readonly state: "waiting" | "confirmed" | "over";
  /** Masked; null once the request no longer waits. */
  readonly sentTo: string | null;
  readonly expiresAt: number;
  /** Contact details removed from the text. */
  readonly removed: readonly Removed[];
  /** Names that a publication's alert will have. */
  readonly names: AlertNames | null;
  /** Earliest time at which the email can be resent; null if it was resent already. */
  readonly resendAt: number | null;
  readonly canCorrect: boolean;
};

/** Page shown while a request waits for confirmation. All throw `not_found` for an unknown ticket. */
export function createWaitingPage(ports: Ports) {
  async function pendingOf(ticket: string): Promise<Pending> {
    const id = ports.secrets.unseal(ticket);
    const pending = id === null ? null : await ports.store.pending(id);
    if (pending === null) throw new Fault("not_found", { reason: "link_dead" });
    return pending;
  }

  return {
    async requestStatus(ticket: string): Promise<RequestStatus> {
      return viewOf(await pendingOf(ticket), ports.clock());
    },

    /**
     * Resends the confirmation email, at once or with the next gathered email. Throws `conflict` if it was resent before
     * or the request no longer waits, `too_many` within a minute of the request.
     */
    async resendEmail(ticket: string): Promise<void> {
      const pending = await pendingOf(ticket);
      const now = ports.clock();
      const resendAt = pending.createdAt + RESEND_WINDOW_MS;
      if (now < resendAt && now >= pending.createdAt) throw tooMany(ports, "again", resendAt, now);
      const token = newToken(ports.dice);
      const sealedToken = ports.secrets.seal(token);
      const fresh = { ...pending, sealedToken, expiresAt: requestEndsAt(pending) };
      const letter = confirmationEmailFor(ports, fresh, await codeOf(ports, pending), now);
      const throttle = ports.rates[pending.kind] === null ? null : { pool: null };
      const tokenHash = ports.secrets.tokenHash(token);
      const email: ResentEmail = { tokenHash, sealedToken, email: letter, throttle };
      const isSent = await ports.store.resend(pending.id, email, now);
      if (!isSent) throw new Fault("conflict", { reason: "sent_twice" });
    },

    /**
     * Repeats the request with a corrected address and drops the one with the mistyped address. Throws `bad_input`,
     * `too_many`, and `conflict` if the request no longer waits or was corrected too often.
     */
    async correctAddress(ticket: string, email: string, caller: Caller): Promise<RequestReceipt> {
      const old = await pendingOf(ticket);
      const now = ports.clock();
      const address = recipient(email);
      if (address === old.email) return receiptOf(ports, old, [], old.email);
      const addressHash = hashAddress(ports.secrets, address);
      const token = newToken(ports.dice);
      const pending: Pending = {
        ...old,
        id: ports.dice.id(),
        tokenHash: ports.secrets.tokenHash(token),
        sealedToken: ports.secrets.seal(token),
        email: address,
        addressHash,
        networkHash: hashNetwork(caller, ports.secrets),
        contentHash: ports.secrets.keyedHash("content", JSON.stringify([old.contentHash, address])),
        payload: payloadFor(old, address),
        createdAt: now,
        expiresAt: now + CONFIRM_MS,
        names: namesInDraft(old.payload),
        askedAgain: false,
        repeats: null,
      };
      const outcome = await ports.store.correctAddress(
        old.id,
        {
          pending,
          email: confirmationEmailFor(ports, pending, await codeOf(ports, pending), now),
          shortCode: null,
          throttle: throttleFor(old.kind, caller, ports.rates, ports.sharedNetworks),
          hits: hitsFor(
            old.kind,
            caller,
            addressHash,
            ports.rates,
            ports.sharedNetworks,
            ports.secrets,
          ),
        },
        now,
      );
      switch (outcome.kind) {
        case "kept":
          return receiptOf(ports, outcome.pending, [], outcome.pending.email);
        case "limited":
          throw tooMany(ports, old.kind, outcome.retryAt, now);
        case "late":
          throw new Fault("conflict", { reason: "address_fixed" });
      }
    },
  };
}

function viewOf(pending: Pending, now: number): RequestStatus {
  const { kind, state, names, email, createdAt, askedAgain, payload } = pending;
  const expiresAt = requestEndsAt(pending);
  const isWaiting =
    state === "waiting" && payload !== null && expiresAt > now && pending.expiresAt > now;
  return {
    kind,
    state: isWaiting ? "waiting" : state === "confirmed" ? "confirmed" : "over",
    sentTo: isWaiting ? maskedMailbox(email) : null,
    expiresAt,
    removed: payload !== null && "removed" in payload ? payload.removed : [],
    names,
    resendAt: isWaiting && !askedAgain ? createdAt + RESEND_WINDOW_MS : null,
    canCorrect: isWaiting && pending.readdressed < STOCKS.addressCorrections,
  };
}

/** Payload with the new address: a zone contains its subscriber's. */
function payloadFor({ payload }: Pending, email: string): Pending["payload"] {
  return payload?.kind === "zone" ? { ...payload, zone: { ...payload.zone, email } } : payload;
}
