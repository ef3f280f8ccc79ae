import {
  type Alert,
  type AlertStatus,
  type AlertView,
  requireAlert,
  toDraftView,
} from "../alerts/alert.ts";
import { type Message, MESSAGES_SHOWN } from "../conversations/conversation.ts";
import { hashAddress, normalizedMailbox } from "../people/mailbox-spelling.ts";
import { SUSPICIOUS_CLAIM_RATES } from "../matches/claim.ts";
import type { Ports } from "./ports.ts";
import { type AlertSearchInput, type FoundAlerts, searchAnyAlert } from "./alert-search.ts";
import { type LookAlikes, lookAlikesOf, type Resemblance } from "./look-alikes.ts";
import { roundRobin } from "../round-robin.ts";
import { type StoredSightingView, storedSightings } from "../sightings/sighting.ts";
import {
  canModerate,
  type AuditLogEntry,
  MODERATION_ACTS,
  type ModerationAct,
  type ReasonCount,
  type Report,
  type ReportReason,
} from "./report.ts";
import type { SyncIndexes } from "../instance.ts";

/** Moderator's view of an alert, hidden or not: its public fields, without the owner's address. */
export type ModeratedAlert = AlertView & {
  readonly status: AlertStatus;
  readonly publishedAt: number;
  readonly acts: readonly ModerationAct[];
};
/** Reported conversation, without addresses. */
export type ReportedConversation = {
  readonly id: string;
  readonly strangerName: string | null;
  /** Oldest first. */
  readonly messages: readonly Message[];
};
/** Moderator's view of a report. The reporter is not recorded. */
export type ReportView = Pick<Report, "reason" | "text" | "createdAt"> & {
  /** Set in the first of its reports. */
  readonly conversation: ReportedConversation | null;
};
/** Alert with its reports, newest first. */
export type ReportedAlert = {
  readonly alert: ModeratedAlert;
  readonly reports: readonly ReportView[];
  /** Sightings on its page, most recent first. */
  readonly sightings: readonly StoredSightingView[];
  /** Null if they were not looked for. */
  readonly lookAlikes: LookAlikes["counts"] | null;
};
/** Everything about one alert: its reports, open or closed, and the alerts that resemble it. */
export type AlertCase = ReportedAlert & {
  readonly lookAlikes: LookAlikes["counts"];
  /** The closest of them. */
  readonly shown: readonly {
    readonly alert: ModeratedAlert;
    readonly ways: readonly Resemblance[];
  }[];
};
/** Alert whose owner changed fields that matching reads unusually often, not yet reviewed by a moderator. */
type OddlyEditedAlert = {
  readonly alert: ModeratedAlert;
  /** Such edits that no moderator has reviewed yet. */
  readonly editsInDay: number;
  readonly editsInWeek: number;
};
/** Everything that waits for a moderator. */
export type ModerationQueue = {
  /** Numbers of open reports, of any reason. */
  readonly reasons: readonly ReasonCount[];
  /** Alerts with open reports, and those reports; the most recently reported first. */
  readonly queue: readonly ReportedAlert[];
  /** Most recently edited first. */
  readonly oddEdits: readonly OddlyEditedAlert[];
  /** Hidden alerts without open reports, newest first, with their closed reports. */
  readonly hidden: readonly ReportedAlert[];
  /** Newest first. */
  readonly log: readonly AuditLogEntry[];
};

/** Actions on a part of an alert: its conversations and sightings. */
const ABOUT_PARTS: readonly ModerationAct[] = ["block_writer", "remove_sighting"];

const REPORTS_SHOWN = 200;
/** Newest open reports from which those shown are chosen. */
const REPORTS_READ = 2_000;
/** Reported alerts whose look-alikes are counted. */
const COMPARED = 20;
const ODD_SHOWN = 50;
const HIDDEN_SHOWN = 50;
const LOG_SHOWN = 50;

/** Moderation without authentication; callers check who acts. */
export type ModerationQueueActions = ReturnType<typeof createModerationQueue>;

export function createModerationQueue(ports: Ports, syncIndexes: SyncIndexes) {
  const { store, secrets, links } = ports;

  /** Alert of any status by its id. Throws `not_found`. */
  async function alertById(id: string): Promise<Alert> {
    return requireAlert(await store.alert({ by: "id", id }));
  }

  /** Moderator's view of an alert. Only a reported one can be dismissed. */
  function viewOf(alert: Alert, isReported: boolean): ModeratedAlert {
    return {
      ...toDraftView(alert, links),
      photos: alert.photos.map(links.adminPhoto),
      thumbnails: alert.photos.map(links.adminThumbnail),
      status: alert.status,
      publishedAt: alert.publishedAt,
      acts: MODERATION_ACTS.filter(
        (act) =>
          !ABOUT_PARTS.includes(act) &&
          canModerate(alert, act) &&
          (act !== "dismiss" || isReported),
      ),
    };
  }

  /** Views of reports about one alert. A conversation is shown with the first of its reports. */
  function reportViews(reports: readonly Report[]): Promise<ReportView[]> {
    const isShown = new Set<string>();
    return Promise.all(
      reports.map(async ({ reason, text, createdAt, conversationId: id }) => {
        const isFirst = id !== null && !isShown.has(id);
        if (isFirst) isShown.add(id);
        return { reason, text, createdAt, conversation: isFirst ? await reported(id) : null };
      }),
    );
  }

  /** Reported conversation; null if it was erased. */
  async function reported(conversationId: string): Promise<ReportedConversation | null> {
    const conversation = await store.conversation(conversationId);
    if (conversation === null) return null;
    const { id, strangerName } = conversation;
    return { id, strangerName, messages: await store.messages(id, MESSAGES_SHOWN) };
  }

  async function reportedAlert(
    alert: Alert,
    reports: readonly Report[],
    isReported: boolean,
    lookAlikes: LookAlikes["counts"] | null = null,
  ): Promise<ReportedAlert> {
    return {
      alert: viewOf(alert, isReported),
      reports: await reportViews(reports),
      sightings: await storedSightings(ports, alert),
      lookAlikes,
    };
  }

  /** Mailbox that an action blocks or unblocks, if any. */
  async function mailboxOf(
    act: ModerationAct,
    alert: Alert,
    conversationId: string | undefined,
  ): Promise<string | null> {
    switch (act) {
      case "block":
      case "restore":
        return alert.ownerEmail;
      case "block_writer": {
        const conversation = await store.conversation(conversationId ?? "");
        return conversation?.alertId === alert.id ? conversation.strangerEmail : null;
      }
      case "hide":
      case "remove":
      case "remove_sighting":
      case "dismiss":
        return null;
    }
  }

  return {
    /** `reason`: only open reports of this reason. */
    async list(reason?: ReportReason): Promise<ModerationQueue> {
      const which = reason === undefined ? {} : { reason };
      const newest = await store.openReports(REPORTS_READ, which);
      // In turn, because anybody can report one alert any number of times.
      const inTurn = roundRobin(newest, ({ alertId }) => alertId);
      const open = byAlert(inTurn.slice(0, REPORTS_SHOWN));
      const alerts = await Promise.all([...open.keys()].map(alertById));
      const alike = await lookAlikesOf(ports, alerts.slice(0, COMPARED));
      const queue = await Promise.all(
        alerts.map((alert) => {
          const lookAlikes = alike.get(alert.id)?.counts ?? null;
          return reportedAlert(alert, open.get(alert.id) ?? [], true, lookAlikes);
        }),
      );
      const unreported = (await store.hiddenAlerts(HIDDEN_SHOWN)).filter(({ id }) => !open.has(id));
      const ids = unreported.map(({ id }) => id);
      const closed = byAlert(await store.reportsAbout(ids, REPORTS_SHOWN));
      const hidden = await Promise.all(
        unreported.map((alert) => reportedAlert(alert, closed.get(alert.id) ?? [], false)),
      );
      const edited = await store.oftenEdited(SUSPICIOUS_CLAIM_RATES, ports.clock(), ODD_SHOWN);
      const oddEdits = edited.map(({ alert, counts: [editsInDay = 0, editsInWeek = 0] }) => ({
        alert: viewOf(alert, true),
        editsInDay,
        editsInWeek,
      }));
      const reasons = await store.openReportCounts();
      return { reasons, queue, oddEdits, hidden, log: await store.auditLog(LOG_SHOWN) };
    },

    /** Alerts of any status. */
    async search(input: AlertSearchInput): Promise<FoundAlerts<ModeratedAlert>> {
      const { alerts, next } = await searchAnyAlert(ports, input);
      return { alerts: alerts.map((alert) => viewOf(alert, false)), next };
    },

    /** Throws `not_found`. */
    async caseOf(alertId: string): Promise<AlertCase> {
      const alert = await alertById(alertId);
      const isReported = (await store.openReports(1, { alertId })).length > 0;
      const reports = await store.reportsAbout([alertId], REPORTS_SHOWN);
      const alike = (await lookAlikesOf(ports, [alert])).get(alertId);
      if (alike === undefined) throw new Error("every alert that is asked for is compared");
      return {
        ...(await reportedAlert(alert, reports, isReported)),
        lookAlikes: alike.counts,
        shown: alike.shown.map(({ alert, ways }) => ({ alert: viewOf(alert, false), ways })),
      };
    },

    alertById,
    viewOf,

    /** Count of visible alerts of the same owner, which a block hides. */
    visibleOfOwner: async ({ ownerEmail }: Alert): Promise<number> =>
      ownerEmail === null ? 0 : store.countShown(normalizedMailbox(ownerEmail)),

    /** Carries an action out, logs it and closes the reports it settles. Returns false if there was nothing to do. */
    async carryOut(
      who: string,
      act: ModerationAct,
      alert: Alert,
      part: { readonly conversationId?: string; readonly sightingId?: string } = {},
    ): Promise<boolean> {
      const email = await mailboxOf(act, alert, part.conversationId);
      const done = await store.moderate({
        id: ports.random.id(),
        at: ports.clock(),
        who,
        act,
        alertId: alert.id,
        ...(part.sightingId === undefined ? {} : { sightingId: part.sightingId }),
        mailbox:
          email === null
            ? null
            : { counted: normalizedMailbox(email), addressHash: hashAddress(secrets, email) },
      });
      await syncIndexes();
      return done;
    },
  };
}

function byAlert(reports: readonly Report[]): ReadonlyMap<string, readonly Report[]> {
  return Map.groupBy(reports, ({ alertId }) => alertId);
}
