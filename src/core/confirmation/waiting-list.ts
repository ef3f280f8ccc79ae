import { STOCKS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { hashAddress, hashMailbox } from "../mailbox-hash.ts";
import type { Ports } from "../ports.ts";
import type { ListedMailbox } from "../store/requests.ts";
import type { Pending } from "./pending.ts";
import { confirmationEmail, factsOf } from "./request.ts";

/** Request that waits for a mailbox, as its reader sees it, with its confirmation token. */
export type ListedRequest = Pick<Pending, "kind" | "createdAt"> & {
  readonly shortCode: string | null;
  readonly token: string;
};

/** Requests that wait for a mailbox, publications first. */
export type WaitingList = {
  /** The newest of each network and kind. */
  readonly inFront: readonly ListedRequest[];
  readonly folded: readonly ListedRequest[];
  /** True if more wait for other spellings of the mailbox, which only emails to these list. */
  readonly isMoreElsewhere: boolean;
};

const NOTHING: WaitingList = { inFront: [], folded: [], isMoreElsewhere: false };

/** List of what waits for a mailbox: the second purpose of every confirmation link to exactly that spelling. */
export function createWaitingList(ports: Ports) {
  const { store, secrets } = ports;

  async function listOf(mailbox: ListedMailbox, ownId: string | null): Promise<WaitingList> {
    const { waitingInFront, waitingFolded } = STOCKS;
    const limit = waitingInFront + waitingFolded;
    const { rows, isMoreElsewhere } = await store.waitingRequests(mailbox, ports.clock(), limit);
    const listed = rows.filter(({ pending }) => pending.id !== ownId);
    const inFront = listed.filter(({ isNewest }) => isNewest).slice(0, waitingInFront);
    const folded = listed.filter((row) => !inFront.includes(row)).slice(0, waitingFolded);
    const views = (of: typeof listed) => Promise.all(of.map(({ pending }) => viewOf(pending)));
    return {
      inFront: (await views(inFront)).flat(),
      folded: (await views(folded)).flat(),
      isMoreElsewhere,
    };
  }

  async function viewOf(pending: Pending): Promise<ListedRequest[]> {
    const { kind, createdAt, sealedToken } = pending;
    const token = sealedToken === null ? null : secrets.unseal(sealedToken);
    if (token === null) return [];
    return [{ kind, createdAt, token, shortCode: (await factsOf(ports, pending)).shortCode }];
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

    /** Sends the emails about what waits for other spellings of the mailbox. Throws `not_found`. */
    async sendElsewhere(token: string): Promise<void> {
      const now = ports.clock();
      const mailbox = await store.listedMailbox(secrets.tokenHash(token), now);
      if (mailbox === null) throw new Fault("not_found", { reason: "link_dead" });
      for (const pending of await store.waitingElsewhere(mailbox, now)) {
        const { id, sealedToken } = pending;
        if (sealedToken === null) continue;
        const email = await confirmationEmail(ports, { ...pending, sealedToken }, now);
        await store.sendElsewhere(id, email, now);
      }
    },
  };
}
