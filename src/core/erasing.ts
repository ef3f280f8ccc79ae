import { z } from "zod";
import { type PublicAlert, publicFace } from "./alert.ts";
import type { CatchUp } from "./catching-up.ts";
import { DAY_MS, HOUR_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { emailField, languageField, mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import type { Letter } from "./letter.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import type { Picturing } from "./picturing.ts";
import type { Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";

/** What is kept under one mailbox, counted. */
export type Holdings = Readonly<Record<HoldingKind, number>>;
export const HOLDING_KINDS = [
  /** Published and not removed. */
  "alerts",
  "photos",
  /** Reported to the mailbox, for its alerts. */
  "sightings",
  /** About its alerts, and those it began about the alerts of others. */
  "conversations",
  /** In these conversations, by either side. */
  "messages",
  "zones",
  /** Writes that wait to be confirmed. */
  "requests",
  /** To it, not sent yet. */
  "letters",
  /** A moderator's ways in, and lines of the moderators' log. */
  "moderation",
] as const;
export type HoldingKind = (typeof HOLDING_KINDS)[number];

/** Asking for the link that erases. */
export const eraseInput = z.object({
  email: emailField.describe("The address all of whose data is to be erased"),
  language: languageField.optional(),
});
export type EraseInput = z.infer<typeof eraseInput>;

/** What the link of a letter opens. */
export type Erasure =
  | {
      readonly state: "waiting";
      /** Masked: enough to recognise one's own. */
      readonly mailbox: string;
      readonly expiresAt: number;
      readonly holdings: Holdings;
      /** The mailbox's alerts that can be seen, newest first; not all, where there are many. */
      readonly alerts: readonly PublicAlert[];
    }
  | { readonly state: "done"; readonly erased: Holdings };

/** The link works this long; as long it tells what was erased by it. */
export const ERASE_MS = 48 * HOUR_MS;
/** Backups are put back within this, or never: what was erased before comes back with older ones. */
export const TOMBSTONE_KEEP_MS = 400 * DAY_MS;
const ERASE_RATE = { max: 10, windowMs: HOUR_MS };
/** Letters with such a link that one mailbox gets. */
const ERASE_MAIL_RATE = { max: 3, windowMs: DAY_MS };
/** Alerts that are shown before they go. */
const ALERTS_SHOWN = 20;

/** Whether anything is kept. */
export function holdsAnything(holdings: Holdings): boolean {
  return HOLDING_KINDS.some((kind) => holdings[kind] > 0);
}

/**
 * Erasing all that is kept of a person, who is known by the mailbox alone: exactly that mailbox, whatever its case.
 * What holds no address cannot be found: sightings and reports, and alerts whose owner was erased when they had ended.
 */
export function createErasing(
  ports: Ports,
  catchUp: CatchUp,
  picturing: Pick<Picturing, "dropGone">,
) {
  const { store, vault } = ports;

  async function linkOf(token: string) {
    const link = await store.erasureLink(vault.tokenHash(token), ports.clock());
    if (link === null) throw new Fault("not_found", { reason: "link_dead" });
    return link;
  }

  async function erasePerson(address: string): Promise<Holdings> {
    // First what lies outside the database: when that fails, all can be done again.
    const sealed = await store.conversationLinks(address);
    const tokens = sealed.flatMap((one) => vault.unseal(one) ?? []);
    await ports.letterFiles.drop(address, tokens);
    const erased = await store.erasePerson(address, ports.clock());
    await catchUp();
    await picturing.dropGone();
    return erased;
  }

  return {
    /**
     * Sends the link that erases to a mailbox under which something is kept. The answer is the same for every address.
     * Throws `too_many` by what the caller asked, whatever the address.
     */
    async askErasure(
      { email, language = "en" }: EraseInput,
      caller: Caller,
    ): Promise<{ readonly sentTo: string }> {
      const now = ports.clock();
      const address = recipient(email);
      const hits = callerHits("erase", ERASE_RATE, caller, ports.sharedNetworks, vault);
      const retryAt = await store.count(hits, now);
      if (retryAt !== null) throw tooMany(retryAt, now);
      const mark = vault.mark("address", mailboxAsCounted(address));
      const isFull = await store.count([{ key: `erase:mail:${mark}`, ...ERASE_MAIL_RATE }], now);
      if (isFull !== null) return { sentTo: maskedMailbox(address) };

      const token = newToken(ports.dice);
      const expiresAt = now + ERASE_MS;
      const letter: Letter = {
        id: ports.dice.id(),
        to: address,
        language,
        content: { kind: "erase", sealedToken: vault.seal(token), expiresAt },
        createdAt: now,
        giveUpAt: expiresAt,
      };
      await store.addErasureLink(
        { tokenHash: vault.tokenHash(token), email: address, expiresAt },
        letter,
      );
      return { sentTo: maskedMailbox(address) };
    },

    /** What a link would erase, or has erased. Throws `not_found`. */
    async erasure(token: string): Promise<Erasure> {
      const link = await linkOf(token);
      if (link.state === "done") return link;
      const holdings = await store.holdings(link.email);
      const owned = await store.alertsOwnedBy(link.email, ALERTS_SHOWN);
      return {
        state: "waiting",
        mailbox: maskedMailbox(link.email),
        expiresAt: link.expiresAt,
        holdings,
        alerts: owned.flatMap((alert) => publicFace(alert, ports.links) ?? []),
      };
    },

    /** Erases, once. Doing it again changes nothing and throws nothing; throws `not_found` for an unknown or late link. */
    async erase(token: string): Promise<void> {
      const link = await linkOf(token);
      if (link.state === "waiting") await erasePerson(link.email);
    },

    /** What is kept under a mailbox; for the operator. */
    holdings: (email: string): Promise<Holdings> => store.holdings(recipient(email)),

    /** Erases all that is kept under a mailbox, and gives what there was; for the operator. */
    erasePerson: (email: string): Promise<Holdings> => erasePerson(recipient(email)),
  };
}
