import { STOCKS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { hashAddress, hashMailbox } from "../mailbox-hash.ts";
import type { Ports } from "../ports.ts";
import type { ListedMailbox, WaitingRequest } from "../store/requests.ts";
import type { Pending } from "./pending.ts";
import { confirmationEmail, factsOf } from "./request.ts";

/** Request that waits for a mailbox, as its reader sees it. */
export type ListedRequest = Pick<Pending, "id" | "kind" | "createdAt"> & {
  readonly shortCode: string | null;
  /** Confirmation token; null for another spelling of the mailbox, to which only an email brings it. */
  readonly token: string | null;
};

/** Requests that wait for a mailbox. */
export type WaitingList = {
  /** The newest of each network and kind, publications first. */
  readonly inFront: readonly ListedRequest[];
  readonly folded: readonly ListedRequest[];
  /** Those for other spellings of the mailbox, whose emails its reader can have sent. */
  readonly elsewhere: readonly ListedRequest[];
};

const NOTHING: WaitingList = { inFront: [], folded: [], elsewhere: [] };

/** List of what waits for a mailbox: the second purpose of every confirmation link to exactly that spelling. */
export function createWaitingList(ports: Ports) {
  const { store, secrets } = ports;

  async function listOf(mailbox: ListedMailbox, ownId: string | null): Promise<WaitingList> {
    const { waitingInFront, waitingFolded } = STOCKS;
    const limit = waitingInFront + waitingFolded + 1;
    const { own, elsewhere } = await store.waitingRequests(mailbox, ports.clock(), limit);
    const listed = own.filter(({ pending }) => pending.id !== ownId);
    const inFront = listed.filter(({ isNewest }) => isNewest).slice(0, waitingInFront);
    const folded = listed.filter((row) => !inFront.includes(row)).slice(0, waitingFolded);
    return {
      inFront: await Promise.all(inFront.map(viewOf)),
      folded: await Promise.all(folded.map(viewOf)),
      elsewhere: await Promise.all(
        elsewhere.map(async (row) => ({ ...(await viewOf(row)), token: null })),
      ),
    };
  }

  async function viewOf({ pending }: WaitingRequest): Promise<ListedRequest> {
    const { id, kind, createdAt, sealedToken } = pending;
    const { shortCode } = await factsOf(ports, pending);
    const token = sealedToken === null ? null : secrets.unseal("confirm", sealedToken);
    return { id, kind, createdAt, shortCode, token };
  }

  return {
    /** List behind a confirmation link; empty once its time is over, or if no email brought the link. */
    async waitingBehind(token: string): Promise<WaitingList> {
      const hash = secrets.tokenHash(token);
      const mailbox = await store.listedMailbox(hash, ports.clock());
      if (mailbox === null) return NOTHING;
      return listOf(mailbox, (await store.pendingByToken(hash))?.id ?? null);
    },

    /** List for the reader of an erasure link. */
    waitingFor: (email: string): Promise<WaitingList> =>
      listOf(
        { mailboxHash: hashMailbox(secrets, email), addressHash: hashAddress(secrets, email) },
        null,
      ),

    /** Sends the email about a request for another spelling of the mailbox. Throws `not_found`. */
    async sendElsewhere(token: string, requestId: string): Promise<void> {
      const now = ports.clock();
      const mailbox = await store.listedMailbox(secrets.tokenHash(token), now);
      const pending = await store.pending(requestId);
      if (mailbox === null || pending === null || pending.sealedToken === null)
        throw new Fault("not_found", { reason: "link_dead" });
      const { sealedToken } = pending;
      const email = await confirmationEmail(ports, { ...pending, sealedToken }, now);
      await store.sendElsewhere(mailbox, requestId, email, now);
    },
  };
}
