import { QUOTAS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { hashMailbox } from "../people/mailbox-spelling.ts";
import type { Ports } from "./ports.ts";
import type { OtherSpellingOutcome, WaitingRequest } from "./request-store.ts";
import type { Pending } from "./pending.ts";
import { confirmationEmail, shortCodeOf } from "./request.ts";

/** Request that waits for a mailbox, as its reader sees it. */
export type ListedRequest = Pick<Pending, "id" | "kind" | "createdAt"> & {
  readonly shortCode: string | null;
};

/** Listed request that its reader can confirm. */
export type OwnRequest = ListedRequest & { readonly token: string };

/** Requests that wait for exactly one spelling of a mailbox. */
export type OwnList = {
  /** The newest of each network and kind, publications first. */
  readonly inFront: readonly OwnRequest[];
  readonly folded: readonly OwnRequest[];
};

/** Requests that wait for a mailbox. */
type WaitingList = OwnList & {
  /** Those for its other spellings, whose confirmation links only an email to that spelling brings. */
  readonly otherSpellings: readonly ListedRequest[];
};

const { waitingInFront, waitingFolded } = QUOTAS;
/** Rows read for a list, with the request whose link shows it. */
const ROWS_MAX = waitingInFront + waitingFolded + 1;

/** List of what waits for a mailbox: the second purpose of every confirmation link to exactly that spelling. */
export function createWaitingList(ports: Ports) {
  const { store, secrets } = ports;

  async function ownList(mailboxHash: string, ownId: string | null): Promise<OwnList> {
    const rows = await store.waitingRequests(mailboxHash, ports.clock(), ROWS_MAX);
    const listed = rows.filter(({ pending }) => pending.id !== ownId);
    const inFront = listed.filter(({ isNewest }) => isNewest).slice(0, waitingInFront);
    const folded = listed.filter((row) => !inFront.includes(row)).slice(0, waitingFolded);
    return { inFront: await ownViews(inFront), folded: await ownViews(folded) };
  }

  async function ownViews(rows: readonly WaitingRequest[]): Promise<OwnRequest[]> {
    const views = rows.map(async ({ pending }) => {
      const { sealedToken } = pending;
      const token = sealedToken === null ? null : secrets.unseal("confirm", sealedToken);
      return token === null ? [] : [{ ...(await viewOf(pending)), token }];
    });
    return (await Promise.all(views)).flat();
  }

  async function viewOf(pending: Pending): Promise<ListedRequest> {
    const { id, kind, createdAt } = pending;
    return { id, kind, createdAt, shortCode: await shortCodeOf(ports, pending) };
  }

  return {
    /** List behind a confirmation link; empty once its time is over, or if no email brought the link. */
    async waitingBehind(token: string): Promise<WaitingList> {
      const now = ports.clock();
      const hash = secrets.tokenHash(token);
      const mailbox = await store.listedMailbox(hash, now);
      if (mailbox === null) return { inFront: [], folded: [], otherSpellings: [] };
      const own = (await store.pendingByToken(hash))?.id ?? null;
      const others = await store.otherSpellings(mailbox, now, ROWS_MAX);
      return {
        ...(await ownList(mailbox.mailboxHash, own)),
        otherSpellings: await Promise.all(others.map(({ pending }) => viewOf(pending))),
      };
    },

    /** List for the reader of an erasure link. */
    waitingFor: (email: string): Promise<OwnList> => ownList(hashMailbox(secrets, email), null),

    /** Sends the email about a request for another spelling of the mailbox. Throws `not_found` for a link without a list. */
    async sendToOtherSpelling(token: string, requestId: string): Promise<OtherSpellingOutcome> {
      const now = ports.clock();
      const mailbox = await store.listedMailbox(secrets.tokenHash(token), now);
      if (mailbox === null) throw new Fault("not_found", { reason: "link_dead" });
      const pending = await store.pending(requestId);
      if (pending?.addressHash !== mailbox.addressHash || pending.sealedToken === null)
        return "not_listed";
      const { sealedToken } = pending;
      const email = await confirmationEmail(ports, { ...pending, sealedToken }, now);
      return store.sendToOtherSpelling(mailbox, requestId, email, now);
    },
  };
}
