import { z } from "zod";
import {
  type Alert,
  type AlertDraft,
  isActionAllowed,
  requirePublicAlert,
  changeAfter,
  type OwnerAction,
  type PublicAlert,
  toPublicAlert,
} from "./alert.ts";
import { CAPS } from "../caps.ts";
import { type LinkAnswer, type LinkRequester, requestMagicLink } from "../magic-link.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { emailField } from "../input.ts";
import { emailAlert, emailTo, MANAGE_LINKS_IN_EMAIL_MAX } from "../email.ts";
import type { Caller } from "../limits.ts";
import { CLAIM_WAITS_MS, isNewClaim } from "../matching/claim.ts";
import { SAME_CHIP_MAX } from "../matching/find-matches.ts";
import { excerpt } from "../conversations/owner-digest.ts";
import { mondayOf, type OutcomeInput } from "./outcome.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "../ports.ts";
import { type Correction, correctDraft, type Removed } from "./publication.ts";
import type { SyncIndexes } from "../jobs/index-sync.ts";
import { openedLink } from "../private-link.ts";
import { hashAddress, hashMailbox } from "../mailbox-hash.ts";
import { type WatchedZone, watchedZones, type Zone, zonesOfSubject } from "../zones/zone.ts";

const MOVES: readonly OwnerAction[] = ["resolve", "renew", "reopen", "remove"];

/** Owner's view of an alert, with the actions its state allows. */
export type ManagedAlert = {
  readonly alert: PublicAlert;
  /** Names of its photos, in order; none while it is hidden. */
  readonly photos: readonly string[];
  /** True if moderators have hidden it. It has no public page or photos then, and `alert.status` is "expired". */
  readonly hidden: boolean;
  readonly canEdit: boolean;
  /** True if the owner can still record how the animal came home. */
  readonly canRecordOutcome: boolean;
  readonly actions: readonly OwnerAction[];
  /** Matching alerts with the same chip number. Only the two owners see this. */
  readonly chipTwins: readonly PublicAlert[];
  /** Emails withheld from the owner: all ("dead": the mailbox bounces) or notifications ("complained": spam report). */
  readonly emailsStopped: "dead" | "complained" | null;
  /** One page of conversations about the alert, taking the newest of each network in turn. */
  readonly conversations: readonly {
    readonly url: string;
    readonly strangerName: string | null;
    /** Beginning of the newest message. */
    readonly text: string;
    readonly at: number;
  }[];
  /** Number of the page, from 1. */
  readonly conversationsPage: number;
  /** Count of conversations on all pages. */
  readonly conversationsTotal: number;
};

/** Subscription that an unsubscribe link ends. */
export type Subscription =
  /** At least one zone. */
  | { readonly kind: "zones"; readonly zones: readonly WatchedZone[] }
  | { readonly kind: "reminders" | "matches"; readonly alert: PublicAlert }
  | { readonly kind: "all-matches" }
  | { readonly kind: "ended" };

/** Highest part number accepted in a request for manage links. */
export const LINK_PARTS_MAX = 1_000;

/** Request for lost manage links. */
export const linksInput = z.object({
  email: emailField.describe("The address the alerts were published with"),
  part: z
    .number()
    .int()
    .min(1)
    .max(LINK_PARTS_MAX)
    .optional()
    .describe("Part of a list too long for one email, from 1"),
});
export type LinksInput = z.infer<typeof linksInput>;

/** Conversations on a page of an owner's list. */
export const CONVERSATIONS_PER_PAGE = 50;

/** Use cases of owners and subscribers, by private links. All throw `not_found` for an unknown or expired link. */
export function createOwnerActions(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photoActions: PhotoActions,
) {
  async function managed(
    token: string,
    conversationsPage = 1,
  ): Promise<{ alert: Alert; view: ManagedAlert }> {
    const { subject } = await openedLink(ports, "manage", token);
    const alert = await ports.store.alert({ by: "id", id: subject });
    const hidden = alert?.status === "hidden";
    const shown = hidden ? { ...alert, status: "expired" as const, photos: [] } : alert;
    const publicAlert = requirePublicAlert(shown, ports.links);
    if (alert === null) throw new Error("requirePublicAlert rejects null");
    const moves = MOVES.filter((move) => isActionAllowed(alert, move, ports.clock()));
    const { conversations, total } = await ports.store.conversationsAbout(
      alert.id,
      CONVERSATIONS_PER_PAGE,
      (conversationsPage - 1) * CONVERSATIONS_PER_PAGE,
    );
    if (conversations.length === 0 && conversationsPage > 1) return managed(token);
    const canTell = alert.status === "resolved" && !(await ports.store.hasOutcome(alert.id));
    const emailsStopped = await stoppedEmails(alert.ownerEmail);
    return {
      alert,
      view: {
        alert: publicAlert,
        photos: hidden ? [] : alert.photos,
        hidden,
        canEdit: isEditable(alert),
        canRecordOutcome: canTell,
        actions: moves,
        chipTwins: await chipTwins(alert),
        emailsStopped,
        conversations: conversations.flatMap(({ strangerName, text, at, sealedToken }) => {
          const token = ports.secrets.unseal(sealedToken);
          if (token === null) return [];
          const url = ports.links.conversation(token);
          return [{ url, strangerName, text: excerpt(text), at }];
        }),
        conversationsPage,
        conversationsTotal: total,
      },
    };
  }

  async function chipTwins(alert: Alert): Promise<PublicAlert[]> {
    if (alert.status !== "active" && alert.status !== "expired") return [];
    const twins = await ports.store.chipPairs(alert.id, SAME_CHIP_MAX);
    return twins.flatMap((twin) => toPublicAlert(twin, ports.links) ?? []);
  }

  async function stoppedEmails(owner: string | null): Promise<ManagedAlert["emailsStopped"]> {
    if (owner === null) return null;
    const suppression = await ports.store.suppression(hashMailbox(ports.secrets, owner));
    if (suppression === null) return null;
    if (suppression.deadSince !== null) return "dead";
    return suppression.complainedAt === null ? null : "complained";
  }

  return {
    /** Lifts the suppression of the owner's mailbox after bounces or a spam complaint. */
    async resumeEmails(token: string): Promise<void> {
      const { alert } = await managed(token);
      if (alert.ownerEmail !== null)
        await ports.store.liftSuppression(hashMailbox(ports.secrets, alert.ownerEmail));
    },

    /** Owner's view, with one page of conversations. */
    managedAlert: async (token: string, conversationsPage?: number): Promise<ManagedAlert> =>
      (await managed(token, conversationsPage)).view,

    /** Throws `conflict` if the alert's state does not allow the change, or changed concurrently. */
    async changeStatus(token: string, move: OwnerAction): Promise<PublicAlert | null> {
      const { alert } = await managed(token);
      const now = ports.clock();
      const change = changeAfter(alert, move, now);
      if (move === "remove") await ports.store.removeAlert(alert.id, now);
      else if (!(await ports.store.changeStatus(alert, change, now))) {
        throw new Fault("conflict", { reason: "alert_changed" });
      }
      await syncIndexes();
      return toPublicAlert(
        (await ports.store.alert({ by: "id", id: alert.id })) ?? alert,
        ports.links,
      );
    },

    /**
     * Changes text, position and photos of a live or expired alert. Returns the contact details removed from the text.
     * Throws `bad_input`, and `conflict` if the alert has ended or changed concurrently.
     */
    async edit(token: string, correction: Correction): Promise<readonly Removed[]> {
      const { alert } = await managed(token);
      const now = ports.clock();
      if (!isEditable(alert)) throw new Fault("conflict", { reason: "alert_ended" });
      const photos = correction.photos && photoActions.named(correction.photos, alert.photos);
      const wanted = photos === undefined ? correction : { ...correction, photos };
      const { draft, removed } = correctDraft(draftOf(alert), wanted, now, ports.gazetteer);
      const waitsMs = isNewClaim(alert, draft) ? CLAIM_WAITS_MS : undefined;
      const isKept = await photoActions.using(photos ?? [], () =>
        ports.store.editAlert(alert, draft, now, waitsMs),
      );
      if (!isKept) throw new Fault("conflict", { reason: "alert_changed" });
      await syncIndexes();
      return removed;
    },

    /** Records how the animal came home, once, without a reference to the alert. Throws `conflict`. */
    async recordOutcome(token: string, { how, distance }: OutcomeInput): Promise<void> {
      const { alert } = await managed(token);
      if (alert.status !== "resolved" || alert.endedAt === null)
        throw new Fault("conflict", { reason: "not_home_yet" });
      await ports.store.addOutcome(alert.id, {
        week: mondayOf(ports.clock()),
        type: alert.type,
        species: alert.species,
        days: Math.max(0, Math.round((alert.endedAt - Date.parse(alert.eventDate)) / DAY_MS)),
        how: how ?? null,
        distance: distance ?? null,
      });
    },

    /**
     * Requests one part of the list of manage links by email. The answer is the same for every address. Throws `too_many`
     * for too many requests of one caller, regardless of the address.
     */
    requestManageLinks: (input: LinksInput, caller: Caller): Promise<{ readonly sentTo: string }> =>
      requestMagicLink(ports, "links", input, caller),

    /**
     * Sends one part of the list to its owner. Anyone can request it in the owner's name, so the emails per day are
     * limited. A list not sent within the last day is sent regardless of that limit, so that nobody can withhold it by
     * using the limit up.
     */
    async sendManageLinks({ requestId, email, part }: LinkRequester, now: number): Promise<void> {
      const { store, secrets } = ports;
      const offset = (part - 1) * MANAGE_LINKS_IN_EMAIL_MAX;
      const { alerts, total } = await store.manageableAlerts(
        email,
        MANAGE_LINKS_IN_EMAIL_MAX,
        offset,
      );
      const newest = alerts[0]?.alert;
      if (newest?.ownerEmail == null) return store.dropLinkRequest(requestId);
      const ids = alerts.map(({ alert }) => alert.id);
      const content = {
        kind: "links" as const,
        entries: alerts.map(({ alert, link }) => ({
          alert: emailAlert(alert),
          sealedToken: link.sealed,
        })),
        part,
        parts: Math.ceil(total / MANAGE_LINKS_IN_EMAIL_MAX),
        total,
      };
      const reader = { to: newest.ownerEmail, language: newest.language };
      const answer: LinkAnswer = {
        requestId,
        email: emailTo(ports.dice, reader, content, now),
        hits: [
          {
            key: `links:mail:${hashAddress(secrets, email)}`,
            ...CAPS.manageLinkEmailsPerMailbox,
          },
        ],
        alternativeHits: [
          {
            key: `links:list:${secrets.keyedHash("content", JSON.stringify(ids))}`,
            ...CAPS.manageLinkEmailsPerList,
          },
        ],
      };
      await store.sendManageLinks(ids, answer, now);
    },

    async subscription(token: string): Promise<Subscription> {
      const link = await ports.store.link(ports.secrets.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      const zones: Zone[] = [];
      for (const zoneId of zonesOfSubject(link?.subject ?? "")) {
        const zone = await ports.store.zone(zoneId);
        if (zone !== null) zones.push(zone);
      }
      if (kind === "all-matches") return { kind };
      if (zones.length > 0) return { kind: "zones", zones: await watchedZones(ports, zones) };
      if (kind !== "reminders" && kind !== "matches") return { kind: "ended" };
      const alert = await ports.store.alert({ by: "id", id });
      const view = alert === null ? null : toPublicAlert(alert, ports.links);
      return view === null ? { kind: "ended" } : { kind, alert: view };
    },

    /** Ends the subscription of a link. Idempotent; an unknown link does nothing. */
    async unsubscribe(token: string): Promise<void> {
      const link = await ports.store.link(ports.secrets.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      for (const zoneId of zonesOfSubject(link?.subject ?? ""))
        await ports.store.endZone(zoneId, ports.clock());
      if (kind === "reminders") await ports.store.muteReminders(id);
      if (kind === "matches") await ports.store.muteMatches(id);
      if (kind === "all-matches") await ports.store.muteMatchesOfOwner(id);
      await syncIndexes();
    },
  };
}

function isEditable({ status }: Alert): boolean {
  return status === "active" || status === "expired";
}

/** Draft of a published alert: names and the fields its owner may change. */
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
