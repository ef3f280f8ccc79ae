import { z } from "zod";
import {
  type Alert,
  type AlertDraft,
  canMove,
  faceOf,
  moved,
  type OwnerMove,
  type PublicAlert,
  publicFace,
} from "./alert.ts";
import { DAY_MS, HOUR_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { emailField, mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import { alertInLetter, type Letter, letterTo } from "./letter.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import { mondayOf, type OutcomeInput } from "./outcome.ts";
import type { Picturing } from "./picturing.ts";
import type { Ports } from "./ports.ts";
import { type Correction, corrected, type Removed } from "./publication.ts";
import type { CatchUp } from "./catching-up.ts";
import { openedLink } from "./private-link.ts";
import { type ZoneFace, zoneFace } from "./zone.ts";

const MOVES: readonly OwnerMove[] = ["resolve", "renew", "reopen", "remove"];

/** The owner's view of an alert and what can be done with it now. */
export type Managed = {
  readonly alert: PublicAlert;
  /** Names of its pictures, in order. */
  readonly photos: readonly string[];
  /** Moderators have hidden it: it is on no public page, its pictures neither, and `alert.status` says "expired". */
  readonly hidden: boolean;
  readonly canEdit: boolean;
  /** Whether it can still be told how the animal came home. */
  readonly canTell: boolean;
  readonly moves: readonly OwnerMove[];
};

/** What an unsubscribe link ends. */
export type Subscription =
  | { readonly kind: "zone"; readonly zone: ZoneFace }
  | { readonly kind: "reminders" | "matches"; readonly alert: PublicAlert }
  | { readonly kind: "ended" };

/** An owner asking for lost private links. */
export const linksInput = z.object({
  email: emailField.describe("The address the alerts were published with"),
});
export type LinksInput = z.infer<typeof linksInput>;

const LINKS_RATE = { max: 10, windowMs: HOUR_MS };
/** Letters with links that one mailbox gets. */
const LINKS_MAIL_RATE = { max: 5, windowMs: DAY_MS };
/** Alerts of one owner that get a letter at once, the newest. */
const LINKS_MAX = 5;

/** What private links open. All throw `not_found` for a link that opens nothing (any more). */
export function createOwning(ports: Ports, catchUp: CatchUp, picturing: Picturing) {
  async function managed(token: string): Promise<{ alert: Alert; view: Managed }> {
    const { subject } = await openedLink(ports, "manage", token);
    const alert = await ports.store.alert({ by: "id", id: subject });
    const hidden = alert?.status === "hidden";
    const seen = hidden ? { ...alert, status: "expired" as const, photos: [] } : alert;
    const face = faceOf(seen, ports.links);
    if (alert === null) throw new Error("faceOf refuses null");
    const moves = MOVES.filter((move) => canMove(alert, move, ports.clock()));
    const canTell = alert.status === "resolved" && !(await ports.store.outcomeTold(alert.id));
    return {
      alert,
      view: {
        alert: face,
        photos: alert.photos,
        hidden,
        canEdit: isEditable(alert),
        canTell,
        moves,
      },
    };
  }

  return {
    managed: async (token: string): Promise<Managed> => (await managed(token)).view,

    /** Throws `conflict` when the alert's state does not allow the move, or changed in between. */
    async move(token: string, move: OwnerMove): Promise<PublicAlert | null> {
      const { alert } = await managed(token);
      const now = ports.clock();
      const change = moved(alert, move, now);
      if (move === "remove") await ports.store.removeAlert(alert.id, now);
      else if (!(await ports.store.moveAlert(alert, change, now))) {
        throw new Fault("conflict", { reason: "alert_changed" });
      }
      await catchUp();
      return publicFace(
        (await ports.store.alert({ by: "id", id: alert.id })) ?? alert,
        ports.links,
      );
    },

    /**
     * Gives a live or expired alert other words, another place, other pictures; gives what was taken out of the words.
     * Throws `bad_input`, and `conflict` when it is neither, or changed in between.
     */
    async edit(token: string, correction: Correction): Promise<readonly Removed[]> {
      const { alert } = await managed(token);
      const now = ports.clock();
      if (!isEditable(alert)) throw new Fault("conflict", { reason: "alert_ended" });
      const { draft, removed } = corrected(draftOf(alert), correction, now, ports.gazetteer);
      const isKept = await picturing.using(correction.photos ?? [], () =>
        ports.store.editAlert(alert, draft, now),
      );
      if (!isKept) throw new Fault("conflict", { reason: "alert_changed" });
      await catchUp();
      return removed;
    },

    /** Notes how the animal came home, once; what is told stands apart from the alert. Throws `conflict`. */
    async tellOutcome(token: string, { how, distance }: OutcomeInput): Promise<void> {
      const { alert } = await managed(token);
      if (alert.status !== "resolved" || alert.endedAt === null)
        throw new Fault("conflict", { reason: "not_home_yet" });
      await ports.store.tellOutcome(alert.id, {
        week: mondayOf(ports.clock()),
        type: alert.type,
        species: alert.species,
        days: Math.max(0, Math.round((alert.endedAt - Date.parse(alert.eventDate)) / DAY_MS)),
        how: how ?? null,
        distance: distance ?? null,
      });
    },

    /**
     * Sends an owner the private links of their alerts again. The answer is the same whether or not the address owns
     * any. Throws `too_many`.
     */
    async sendLinks({ email }: LinksInput, caller: Caller): Promise<{ readonly sentTo: string }> {
      const now = ports.clock();
      const address = recipient(email);
      const { sharedNetworks, vault, store } = ports;
      const mailboxKey = vault.mark("address", mailboxAsCounted(address));
      const retryAt = await store.count(
        callerHits("links", LINKS_RATE, caller, sharedNetworks, vault),
        now,
      );
      if (retryAt !== null) throw tooMany(ports, "links", retryAt, now);
      const owned = await store.alertsOwnedBy(address, LINKS_MAX);
      const letters: { letter: Letter; about: string }[] = [];
      for (const alert of owned) {
        const link = await store.linkTo("manage", alert.id);
        if (link === null || alert.ownerEmail === null) continue;
        const content = {
          kind: "link" as const,
          alert: alertInLetter(alert),
          sealedToken: link.sealed,
        };
        const reader = { to: alert.ownerEmail, language: alert.language };
        letters.push({ letter: letterTo(ports.dice, reader, content, now), about: alert.id });
      }
      // A full mailbox is not told about: that would tell whether the address is known.
      const counted = letters.map(() => ({ key: `links:mail:${mailboxKey}`, ...LINKS_MAIL_RATE }));
      if ((await store.count(counted, now)) === null) await store.post(letters);
      return { sentTo: maskedMailbox(address) };
    },

    async subscription(token: string): Promise<Subscription> {
      const link = await ports.store.link(ports.vault.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      if (kind === "zone") {
        const zone = await ports.store.zone(id);
        if (zone === null) return { kind: "ended" };
        return { kind: "zone", zone: zoneFace(zone, ports.gazetteer) };
      }
      if (kind !== "reminders" && kind !== "matches") return { kind: "ended" };
      const alert = await ports.store.alert({ by: "id", id });
      const face = alert === null ? null : publicFace(alert, ports.links);
      return face === null ? { kind: "ended" } : { kind, alert: face };
    },

    /** Ends what the link is for. Doing it again is as good; an unknown link has nothing left to end. */
    async unsubscribe(token: string): Promise<void> {
      const link = await ports.store.link(ports.vault.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      if (kind === "zone") await ports.store.endZone(id, ports.clock());
      if (kind === "reminders") await ports.store.muteReminders(id);
      if (kind === "matches") await ports.store.muteMatches(id);
      await catchUp();
    },
  };
}

function isEditable({ status }: Alert): boolean {
  return status === "active" || status === "expired";
}

/** The part of an alert that its owner may change, and its names. */
function draftOf(alert: Alert): AlertDraft {
  const {
    status: _status,
    publishedAt: _publishedAt,
    updatedAt: _updatedAt,
    expiresAt: _expiresAt,
    endedAt: _endedAt,
    ownerEmail: _ownerEmail,
    language: _language,
    source: _source,
    ...draft
  } = alert;
  return draft;
}
