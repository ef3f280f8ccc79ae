import type { AlertDraft } from "../alerts/alert.ts";
import {
  confirmationEmail,
  storedPending,
  newRequest,
  receiptOf,
  type RequestReceipt,
  smallDomainHit,
} from "./request.ts";
import { QUOTAS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { maskedMailbox, recipient } from "../input.ts";
import { type Caller, isSharedNetwork, tooMany } from "../limits.ts";
import { isWaiting, RESEND_WINDOW_MS, type Pending } from "./pending.ts";
import type { Ports } from "./ports.ts";

/** State of a request, for its requester. The same whether or not an email was sent. */
export type RequestStatus = ReturnType<typeof viewOf>;

/** Status of a request that waits for confirmation, and what its requester can do about it. All throw `not_found` for an unknown ticket. */
export function createRequestStatus(ports: Ports) {
  async function pendingOf(ticket: string): Promise<Pending> {
    const id = ports.secrets.unseal("waiting", ticket);
    const pending = id === null ? null : await ports.store.pending(id);
    if (pending === null) throw new Fault("not_found", { reason: "link_dead" });
    return pending;
  }

  return {
    async requestStatus(ticket: string): Promise<RequestStatus> {
      return viewOf(await pendingOf(ticket), ports.clock());
    },

    /** Alert of a publication that still waits; null for any other request. */
    async waitingDraft(ticket: string): Promise<AlertDraft | null> {
      const pending = await pendingOf(ticket);
      const { payload } = pending;
      return payload?.kind === "publish" && isWaiting(pending, ports.clock())
        ? payload.draft
        : null;
    },

    /**
     * Resends the confirmation email if its mailbox can get one now. Throws `conflict` if it was resent before or the
     * request no longer waits, `too_many` within a minute of the request.
     */
    async resendEmail(ticket: string): Promise<void> {
      const pending = await pendingOf(ticket);
      const now = ports.clock();
      const { id, email, networkHash, createdAt, sealedToken } = pending;
      const resendAt = createdAt + RESEND_WINDOW_MS;
      if (now < resendAt && now >= createdAt) throw tooMany(ports, "again", resendAt, now);
      if (sealedToken === null) throw new Fault("conflict", { reason: "sent_twice" });
      const request = {
        email: await confirmationEmail(ports, { ...pending, sealedToken }, now),
        isShared: isSharedNetwork(ports, networkHash),
        domain: smallDomainHit(ports.secrets, email),
      };
      if (!(await ports.store.resend(id, request, now)))
        throw new Fault("conflict", { reason: "sent_twice" });
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
      const { payload } = old;
      const action = {
        kind: old.kind,
        email: address,
        language: old.language,
        payload:
          payload?.kind === "zone"
            ? { ...payload, zone: { ...payload.zone, email: address } }
            : payload,
      };
      const recognisedBy = { content: [old.contentHash, address], key: null };
      const request = await newRequest(ports, caller, action, recognisedBy, now);
      const outcome = await ports.store.correctAddress(old.id, request, now);
      if (outcome.kind === "late") throw new Fault("conflict", { reason: "address_fixed" });
      const kept = storedPending(ports, old.kind, outcome, now);
      return receiptOf(ports, kept, [], kept.email);
    },
  };
}

function viewOf(pending: Pending, now: number) {
  const { kind, state, names, email, createdAt, expiresAt, resent, payload } = pending;
  const waits = isWaiting(pending, now);
  return {
    kind,
    /** `over`: the link has expired, or its reader said "this was not me". */
    state: waits ? ("waiting" as const) : state === "confirmed" ? state : ("over" as const),
    /** Masked; null once the request no longer waits. */
    sentTo: waits ? maskedMailbox(email) : null,
    expiresAt,
    removed: payload !== null && "removed" in payload ? payload.removed : [],
    /** Names that a publication's alert will have. */
    names,
    /** Earliest time at which the email can be resent; null if it was resent already. */
    resendAt: waits && !resent ? createdAt + RESEND_WINDOW_MS : null,
    canCorrect: waits && pending.readdressed < QUOTAS.addressCorrections,
  };
}
