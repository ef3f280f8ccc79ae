import { z } from "zod";
import { type PublicAlert, publicFace } from "./alert.ts";
import type { CatchUp } from "./catching-up.ts";
import { askDiscreetly, type Asker, discreetLink } from "./discreet-link.ts";
import { DAY_MS, HOUR_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { createTurns } from "./in-turn.ts";
import { emailField, languageField, mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import type { Caller } from "./limit.ts";
import type { Picturing } from "./picturing.ts";
import type { Ports } from "./ports.ts";

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
/** The same as the operator sees it, with what lies outside the database. */
export type OperatorHoldings = Holdings & {
  /** Letters that a server without mail wrote into files. */
  readonly letterFiles: number;
};

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
/** Letters with such a link that one mailbox gets. */
const ERASE_MAIL_RATE = { max: 3, windowMs: DAY_MS };
/** The same for all ways to write it together: more, for others can ask under ways that are not the reader's own. */
const ERASE_COUNTED_RATE = { max: 10, windowMs: DAY_MS };
/** Alerts that are shown before they go. */
const ALERTS_SHOWN = 20;
/** Alerts that go before others have their turn: everybody waits some 10 ms for these. */
const ERASED_AT_ONCE = 50;

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
  /** Who presses a button twice has it done once, and is told so when it is done. */
  const inTurn = createTurns();

  async function linkOf(token: string) {
    const link = await store.erasureLink(vault.tokenHash(token), ports.clock());
    if (link === null) throw new Fault("not_found", { reason: "link_dead" });
    return link;
  }

  async function stoppableMark(token: string): Promise<string> {
    const { unconfirmedMark } = await linkOf(token);
    if (unconfirmedMark === null) throw new Fault("not_found", { reason: "link_dead" });
    return unconfirmedMark;
  }

  /** The private links by which letters to others are about a mailbox. */
  async function linksOf(address: string): Promise<string[]> {
    const sealed = await store.conversationLinks(address);
    return sealed.flatMap((one) => vault.unseal(one) ?? []);
  }

  /** Only `inTurn`. */
  async function erasePerson(address: string): Promise<OperatorHoldings> {
    const tokens = await linksOf(address);
    // First what lies outside the database: when that fails, all can be done again.
    const early = await ports.letterFiles.drop(address, tokens);
    const begun = await store.beginErasure(address, ports.clock());
    for (let isDone = false; !isDone; await ports.turn()) {
      isDone = await store.continueErasure(begun, ERASED_AT_ONCE, ports.clock());
      await catchUp();
    }
    await picturing.dropGone();
    // Once more, for what was written meanwhile.
    const late = await ports.letterFiles.drop(address, tokens);
    return { ...begun.holdings, letterFiles: early + late };
  }

  return {
    /**
     * Notes that the link that erases is to go to a mailbox, if anything is kept under it. The answer is the same for
     * every address. Throws `too_many` by what the caller asked, whatever the address.
     */
    askErasure: (input: EraseInput, caller: Caller): Promise<{ readonly sentTo: string }> =>
      askDiscreetly(ports, "erase", input, caller),

    /**
     * Sends the link where something is kept. A mailbox that confirmed nothing of it is known by what others may have
     * asked in its name: to it this is one more letter that nobody answers, which it can stop.
     */
    async sendErasureLink({ askId, email, language }: Asker, now: number): Promise<void> {
      const acquaintance = await store.acquaintance(email);
      if (acquaintance === "none") return store.dropLinkAsk(askId);
      const counted = vault.mark("address", mailboxAsCounted(email));
      const hits = [
        { key: `erase:to:${vault.mark("mailbox", email.toLowerCase())}`, ...ERASE_MAIL_RATE },
        { key: `erase:mail:${counted}`, ...ERASE_COUNTED_RATE },
      ];
      const canStop = acquaintance === "unconfirmed";
      const reader = { to: email, language };
      const { link, letter } = discreetLink(
        ports,
        reader,
        ERASE_MS,
        { kind: "erase", canStop },
        now,
      );
      const unconfirmedMark = canStop ? counted : null;
      await store.addErasureLink({ ...link, unconfirmedMark }, { askId, letter, hits }, now);
    },

    /**
     * "This was not me": ends what was asked in the name of the mailbox that a link was sent to, and stops such letters
     * to it. Throws `not_found` for a link of a mailbox that confirmed anything, too.
     */
    disownErasure: async (token: string): Promise<void> =>
      store.stopLetters(await stoppableMark(token), ports.clock()),

    /** Takes "stop these letters" back. Throws as `disownErasure` does. */
    allowErasureLetters: async (token: string): Promise<void> =>
      store.allowLetters(await stoppableMark(token)),

    /** Whether the reader of a link can stop such letters. Throws `not_found`. */
    requireStoppable: async (token: string): Promise<void> => void (await stoppableMark(token)),

    /** What a link would erase, or has erased. Throws `not_found`. */
    async erasure(token: string): Promise<Erasure> {
      const link = await linkOf(token);
      if (link.state === "done") return { state: "done", erased: link.erased };
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
    erase: (token: string): Promise<void> =>
      inTurn(async () => {
        const link = await linkOf(token);
        if (link.state === "waiting") await erasePerson(link.email);
      }),

    /** What is kept under a mailbox. */
    async holdings(email: string): Promise<OperatorHoldings> {
      const address = recipient(email);
      const letterFiles = await ports.letterFiles.count(address, await linksOf(address));
      return { ...(await store.holdings(address)), letterFiles };
    },

    /** Erases all that is kept under a mailbox, and gives what there was. */
    erasePerson: (email: string): Promise<OperatorHoldings> =>
      inTurn(() => erasePerson(recipient(email))),
  };
}
