import type { AlertStore } from "../alerts/alert-store.ts";
import { type PublicAlert, toPublicAlert } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { emailField, languageField, maskedMailbox, recipient } from "../input.ts";
import type { Instance, SyncIndexes } from "../instance.ts";
import type { Caller, LimitPorts } from "../limits.ts";
import { createMutex } from "../mutex.ts";
import type { ConfirmationStore } from "../pending/request-store.ts";
import type { OwnList } from "../pending/waiting-list.ts";
import type { LinkStore } from "../people/link-store.ts";
import { type LinkRequester, newMagicLink, requestMagicLink } from "../people/magic-link.ts";
import { hashAddress, hashMailbox } from "../people/mailbox-spelling.ts";
import type { SuppressionStore } from "../people/suppression.ts";
import type { PhotoActions } from "../photos/photos.ts";
import {
  DATA_KINDS,
  type DataInventory,
  type EmailFiles,
  type ErasureStore,
} from "./erasure-store.ts";
import { z } from "zod";

/** Inventory for the operator, including files outside the database. */
export type OperatorInventory = DataInventory & {
  /** Emails that a server without an SMTP server wrote to files. */
  readonly emailFiles: number;
};

export const eraseInput = z.object({
  email: emailField.describe("The address all of whose data is to be erased"),
  language: languageField.optional(),
});
type EraseInput = z.infer<typeof eraseInput>;

/** Page behind an erasure link. */
export type Erasure =
  | {
      readonly state: "waiting";
      /** Masked: enough for its owner to recognise. */
      readonly mailbox: string;
      readonly expiresAt: number;
      readonly inventory: DataInventory;
      /** Its newest visible alerts. */
      readonly alerts: readonly PublicAlert[];
      /** Requests that wait for it to confirm them. */
      readonly waiting: OwnList;
    }
  | { readonly state: "done"; readonly erased: DataInventory };

/** Lifetime of an erasure link, which shows afterwards what it erased. */
export const ERASE_MS = 48 * HOUR_MS;
/** Retention of tombstones. Restoring a backup older than this brings erased data back. */
export const TOMBSTONE_KEEP_MS = 400 * DAY_MS;
const ALERTS_SHOWN = 20;
/** Alerts erased per batch. Each batch blocks the event loop for about 10 ms. */
const ERASED_PER_BATCH = 50;

export function holdsAnything(inventory: DataInventory): boolean {
  return DATA_KINDS.some((kind) => inventory[kind] > 0);
}

/**
 * Erasure of all data of a person, who is identified by exactly one spelling of a mailbox. Data without an address
 * cannot be found: sightings and reports they sent, and ended alerts whose owner was erased already.
 */
export function createErasure(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photos: Pick<PhotoActions, "dropGone">,
  waitingFor: (email: string) => Promise<OwnList>,
) {
  const { store, secrets } = ports;
  /** Serialises erasures so that a double submit runs once and both callers see the result. */
  const serially = createMutex();

  async function requireLink(token: string) {
    const link = await store.erasureLink(secrets.tokenHash(token), ports.clock());
    if (link === null) throw new Fault("not_found", { reason: "link_dead" });
    return link;
  }

  /** Hash of the mailbox whose emails a link can stop or allow. Works after the link expired, as long as the stop. */
  async function stoppableMailbox(token: string): Promise<string> {
    const stopped = await store.mailboxStoppedBy(secrets.tokenHash(token));
    if (stopped !== null) return stopped;
    const { unconfirmedHash } = await requireLink(token);
    if (unconfirmedHash === null) throw new Fault("not_found", { reason: "link_dead" });
    return unconfirmedHash;
  }

  /** Tokens of the conversations of a mailbox, by which emails to the other side are recognised. */
  async function conversationTokens(address: string): Promise<string[]> {
    const sealed = await store.conversationLinks(address);
    return sealed.flatMap((token) => secrets.unseal("conversation", token) ?? []);
  }

  /** Call within `serially` only. */
  async function eraseMailbox(address: string): Promise<OperatorInventory> {
    const tokens = await conversationTokens(address);
    // Files first: if that fails, the whole erasure can be repeated.
    const early = await ports.emailFiles.drop(address, tokens);
    await store.liftSuppression(hashMailbox(secrets, address));
    const begun = await store.beginErasure(address, ports.clock(), hashAddress(secrets, address));
    for (let isDone = false; !isDone; await ports.yieldToEventLoop()) {
      isDone = await store.continueErasure(begun, ERASED_PER_BATCH, ports.clock());
      await syncIndexes();
    }
    await photos.dropGone();
    // Again, for files written meanwhile.
    const late = await ports.emailFiles.drop(address, tokens);
    return { ...begun.inventory, emailFiles: early + late };
  }

  return {
    /** Requests an erasure link by email; see `requestMagicLink`. */
    requestErasure: (input: EraseInput, caller: Caller): Promise<{ readonly sentTo: string }> =>
      requestMagicLink(ports, "erase", input, caller),

    /**
     * Sends the link if any data is stored. The data of a mailbox that never confirmed anything may come from strangers
     * who entered its address, so this email counts as unanswered, and its reader can stop such emails.
     */
    async sendErasureLink(requester: LinkRequester, now: number): Promise<void> {
      const { requestId, email, language } = requester;
      const status = await store.mailboxStatus(email);
      if (status === "none") return store.dropLinkRequest(requestId);
      const canStop = status === "unconfirmed";
      const addressHash = hashAddress(secrets, email);
      const hits = [
        { key: `erase:to:${hashMailbox(secrets, email)}`, ...CAPS.eraseEmailsPerMailbox },
        { key: `erase:mail:${addressHash}`, ...CAPS.eraseEmailsPerCountedMailbox },
      ];
      const reader = { to: email, language };
      const content = { kind: "erase" as const, canStop };
      const magic = newMagicLink(ports, reader, ERASE_MS, content, now);
      const link = { ...magic.link, unconfirmedHash: canStop ? addressHash : null };
      await store.addErasureLink(link, { requestId, emails: [magic.email], hits }, now);
    },

    /**
     * "This was not me": drops the pending actions of the link's mailbox and stops such emails to it. Throws `not_found`
     * for an unknown link, and for a mailbox that has confirmed anything.
     */
    disownErasure: async (token: string): Promise<void> =>
      store.stopEmails(await stoppableMailbox(token), secrets.tokenHash(token), ports.clock()),

    /** Undoes `disownErasure`. Throws the same. */
    allowErasureEmails: async (token: string): Promise<void> =>
      void (await store.allowEmails(await stoppableMailbox(token))),

    /** Allows emails to a mailbox again that stopped them or was suppressed. For the operator. */
    allowEmails: async (email: string) => {
      const address = recipient(email);
      const wasDead = await store.liftSuppression(hashMailbox(secrets, address));
      const stop = await store.allowEmails(hashAddress(secrets, address));
      return { ...stop, wasDead };
    },

    /** Throws `not_found` unless a link can stop such emails. */
    requireStoppable: async (token: string): Promise<void> => void (await stoppableMailbox(token)),

    /** Data that a link will erase, or has erased. Throws `not_found`. */
    async erasure(token: string): Promise<Erasure> {
      const link = await requireLink(token);
      if (link.state === "done") return { state: "done", erased: link.erased };
      const owned = await store.alertsOwnedBy(link.email, ALERTS_SHOWN);
      return {
        state: "waiting",
        mailbox: maskedMailbox(link.email),
        expiresAt: link.expiresAt,
        inventory: await store.dataInventory(link.email),
        alerts: owned.flatMap((alert) => toPublicAlert(alert, ports.links) ?? []),
        waiting: await waitingFor(link.email),
      };
    },

    /** Erases the data of a link's mailbox. Idempotent. Throws `not_found` for an unknown or expired link. */
    erase: (token: string): Promise<void> =>
      serially(async () => {
        const link = await requireLink(token);
        if (link.state === "waiting") await eraseMailbox(link.email);
      }),

    /** Inventory of a mailbox, for the operator. */
    async dataInventory(email: string): Promise<OperatorInventory> {
      const address = recipient(email);
      const emailFiles = await ports.emailFiles.count(address, await conversationTokens(address));
      return { ...(await store.dataInventory(address)), emailFiles };
    },

    /** Erases all data of a mailbox, for the operator. Returns what was erased. */
    erasePerson: (email: string): Promise<OperatorInventory> =>
      serially(() => eraseMailbox(recipient(email))),
  };
}

/** Ports of erasure. */
type Ports = Instance &
  LimitPorts & {
    readonly store: ErasureStore &
      Pick<AlertStore, "alertsOwnedBy"> &
      Pick<ConfirmationStore, "allowEmails" | "mailboxStoppedBy" | "stopEmails"> &
      Pick<LinkStore, "addLinkRequest" | "dropLinkRequest"> &
      Pick<SuppressionStore, "liftSuppression">;
    readonly emailFiles: EmailFiles;
  };
