import {
  type Alert,
  isActionAllowed,
  changeAfter,
  type OwnerAction,
  OWNER_ACTIONS,
  type PublicAlert,
  requireAlert,
  requirePublicAlert,
  toPublicAlert,
} from "../alerts/alert.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { type HelpNearby, helpNear } from "../help.ts";
import { CLAIM_WAITS_MS, isNewClaim } from "../matches/claim.ts";
import { SAME_CHIP_MAX } from "../matches/pair-store.ts";
import { excerpt } from "../conversations/owner-digest.ts";
import { mondayOf, type OutcomeInput } from "../outcomes/outcome.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import {
  isInShelter,
  type Plan,
  planAnimal,
  planAt,
  type PlanMark,
  searchRings,
  type SearchRings,
  stepsFor,
} from "../plan/plan.ts";
import { type Correction, correctDraft, type Removed } from "../alerts/publication.ts";
import { openedLink } from "../people/private-link.ts";
import { hashMailbox } from "../people/mailbox-spelling.ts";
import type { SyncIndexes } from "../instance.ts";

/** Owner's view of an alert, with the actions its state allows. */
export type ManagedAlert = {
  readonly alert: PublicAlert;
  /** Names of its photos, in order; none while it is hidden. */
  readonly photos: readonly string[];
  /** True if moderators have hidden it. It has no public page or photos then, and `alert.status` is "expired". */
  readonly hidden: boolean;
  /** Plan; null once the alert has ended, while it is hidden, and for an animal in a shelter. */
  readonly plan: Plan | null;
  /** Circles to search for a lost animal; null if there are no figures for it, or nothing to search for. */
  readonly searchRings: SearchRings | null;
  /** People to call near the place. */
  readonly help: HelpNearby;
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
    /** Count of the photos of that message. */
    readonly photos: number;
    readonly at: number;
  }[];
  /** Number of the page, from 1. */
  readonly conversationsPage: number;
  /** Count of conversations on all pages. */
  readonly conversationsTotal: number;
};

/** Conversations on a page of an owner's list. */
export const CONVERSATIONS_PER_PAGE = 50;

/** Use cases of owners, by their manage links. All throw `not_found` for an unknown or expired link. */
export function createOwnerActions(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photoActions: PhotoActions,
) {
  const { store, secrets, links } = ports;

  /** Alert of a manage link, possibly hidden. Throws `gone` for a removed one. */
  async function managed(token: string): Promise<Alert> {
    const { subject } = await openedLink(ports, "manage", token);
    const alert = requireAlert(await store.alert({ by: "id", id: subject }));
    if (alert.status === "removed") throw new Fault("gone", { reason: "alert_removed" });
    return alert;
  }

  /** Owner's view, with one page of conversations. */
  async function managedAlert(token: string, conversationsPage = 1): Promise<ManagedAlert> {
    const alert = await managed(token);
    const { conversations, total } = await store.conversationsAbout(
      alert.id,
      CONVERSATIONS_PER_PAGE,
      (conversationsPage - 1) * CONVERSATIONS_PER_PAGE,
    );
    if (conversations.length === 0 && conversationsPage > 1) return managedAlert(token);
    const hidden = alert.status === "hidden";
    const photos = hidden ? [] : alert.photos;
    const shown = { ...alert, photos, status: hidden ? "expired" : alert.status };
    return {
      alert: requirePublicAlert(shown, links),
      photos,
      hidden,
      plan: alert.status === "active" && !isInShelter(alert) ? await planOf(alert) : null,
      searchRings:
        alert.status === "active" && alert.type === "lost" ? searchRings(alert.species) : null,
      help: helpNear(ports.help, alert.point),
      canEdit: isEditable(alert),
      canRecordOutcome:
        alert.type === "lost" && alert.status === "resolved" && !(await store.hasOutcome(alert.id)),
      actions: OWNER_ACTIONS.filter((action) => isActionAllowed(alert, action, ports.clock())),
      chipTwins: await chipTwins(alert),
      emailsStopped: await stoppedEmails(alert.ownerEmail),
      conversations: conversations.flatMap(({ strangerName, text, photos, at, sealedToken }) => {
        const token = secrets.unseal("conversation", sealedToken);
        if (token === null) return [];
        return [{ url: links.conversation(token), strangerName, text: excerpt(text), photos, at }];
      }),
      conversationsPage,
      conversationsTotal: total,
    };
  }

  async function planOf(alert: Alert): Promise<Plan> {
    return planAt(alert, await store.donePlanSteps(alert.id), ports.clock());
  }

  async function chipTwins(alert: Alert): Promise<PublicAlert[]> {
    if (!isEditable(alert)) return [];
    const twins = await store.chipPairs(alert.id, SAME_CHIP_MAX);
    return twins.flatMap((twin) => toPublicAlert(twin, links) ?? []);
  }

  async function stoppedEmails(owner: string | null): Promise<ManagedAlert["emailsStopped"]> {
    const suppression =
      owner === null ? null : await store.suppression(hashMailbox(secrets, owner));
    if (suppression === null) return null;
    if (suppression.deadSince !== null) return "dead";
    return suppression.complainedAt === null ? null : "complained";
  }

  return {
    managedAlert,

    /** Marks a step of the plan as done, or as not done after all. Idempotent. Throws `conflict` once the alert has ended. */
    async markPlanStep(token: string, { step, done }: PlanMark): Promise<void> {
      const alert = await managed(token);
      const isOfPlan = stepsFor(alert.type, planAnimal(alert)).some(({ id }) => id === step);
      const isDone = done === "yes";
      if (!isOfPlan || !(await store.markPlanStep(alert.id, step, isDone, ports.clock())))
        throw new Fault("conflict", { reason: "plan_over" });
    },

    /** Lifts the suppression of the owner's mailbox after bounces or a spam complaint. */
    async resumeEmails(token: string): Promise<void> {
      const { ownerEmail } = await managed(token);
      if (ownerEmail !== null) await store.liftSuppression(hashMailbox(secrets, ownerEmail));
    },

    /** Removes a sighting from the alert. Idempotent. */
    async removeSighting(token: string, sightingId: string): Promise<void> {
      const { id } = await managed(token);
      if (await store.removeSighting(id, sightingId)) await photoActions.dropGone();
    },

    /** Throws `conflict` if the alert's state does not allow the change, or changed concurrently. */
    async changeStatus(token: string, action: OwnerAction): Promise<PublicAlert | null> {
      const alert = await managed(token);
      const now = ports.clock();
      const change = changeAfter(alert, action, now);
      if (action === "remove") await store.removeAlert(alert.id, now);
      else if (!(await store.changeStatus(alert, change, now))) {
        throw new Fault("conflict", { reason: "alert_changed" });
      }
      await syncIndexes();
      return toPublicAlert((await store.alert({ by: "id", id: alert.id })) ?? alert, links);
    },

    /**
     * Changes text, position and photos of a live or expired alert. Returns the contact details removed from the text.
     * Throws `bad_input`, and `conflict` if the alert has ended or changed concurrently.
     */
    async edit(token: string, correction: Correction): Promise<readonly Removed[]> {
      const alert = await managed(token);
      const now = ports.clock();
      if (!isEditable(alert)) throw new Fault("conflict", { reason: "alert_ended" });
      const photos = correction.photos && photoActions.named(correction.photos, alert.photos);
      const named = photos === undefined ? correction : { ...correction, photos };
      const { draft, removed } = correctDraft(alert, named, now, ports.gazetteer);
      const waitsMs = isNewClaim(alert, draft) ? CLAIM_WAITS_MS : undefined;
      const isKept = await photoActions.using(photos ?? [], () =>
        store.editAlert(alert, draft, now, waitsMs),
      );
      if (!isKept) throw new Fault("conflict", { reason: "alert_changed" });
      await syncIndexes();
      return removed;
    },

    /** Records how the animal came home, once, without a reference to the alert. Throws `conflict`. */
    async recordOutcome(token: string, { how, distance }: OutcomeInput): Promise<void> {
      const alert = await managed(token);
      if (alert.status !== "resolved" || alert.endedAt === null)
        throw new Fault("conflict", { reason: "not_home_yet" });
      await store.addOutcome(alert.id, {
        week: mondayOf(ports.clock()),
        type: alert.type,
        species: alert.species,
        days: Math.max(0, Math.round((alert.endedAt - Date.parse(alert.eventDate)) / DAY_MS)),
        how: how ?? null,
        distance: distance ?? null,
      });
    },
  };
}

function isEditable({ status }: Alert): boolean {
  return status === "active" || status === "expired";
}
