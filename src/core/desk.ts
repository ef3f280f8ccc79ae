import { type Alert, type AlertStatus, draftFace } from "./alert.ts";
import type { CatchUp } from "./catching-up.ts";
import type { DraftFace } from "./confirming.ts";
import { type Message, MESSAGES_SHOWN } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { mailboxAsCounted } from "./input.ts";
import type { Ports } from "./ports.ts";
import {
  type BlockedMailbox,
  canModerate,
  type DeedLine,
  MODERATION_ACTS,
  type ModerationAct,
  type Report,
} from "./report.ts";

/** An alert as moderators see it: all that it says to the public, hidden or not. The owner's address is not shown. */
export type ModeratedAlert = DraftFace & {
  readonly status: AlertStatus;
  readonly acts: readonly ModerationAct[];
};
/** A reported conversation: who wrote what, without addresses. */
export type ReportedConversation = {
  readonly id: string;
  readonly strangerName: string | null;
  /** Oldest first. */
  readonly messages: readonly Pick<Message, "from" | "text" | "createdAt">[];
};
/** A report as moderators read it: who sent it is not known. */
export type ReportFace = Pick<Report, "reason" | "text" | "createdAt"> & {
  readonly conversation: ReportedConversation | null;
};
/** An alert with what was told of it, newest first. */
export type ToldAlert = {
  readonly alert: ModeratedAlert;
  readonly reports: readonly ReportFace[];
};
/** What moderators look at. */
export type Desk = {
  /** Alerts with open reports, and only these are told; what was reported last comes first. */
  readonly queue: readonly ToldAlert[];
  /** Hidden alerts that nobody reported since, newest first, with the reports that hiding or another act closed. */
  readonly hidden: readonly ToldAlert[];
  /** Newest first. */
  readonly log: readonly DeedLine[];
};

const REPORTS_SHOWN = 200;
const HIDDEN_SHOWN = 50;
const LOG_SHOWN = 50;

/** Where moderation is done, whoever does it: it asks nobody who they are. */
export type ModerationDesk = ReturnType<typeof createDesk>;

export function createDesk(ports: Ports, catchUp: CatchUp) {
  const { store, vault } = ports;

  async function alertOf(id: string): Promise<Alert> {
    return requireKnown(await store.alert({ by: "id", id }));
  }

  /** The mailbox an act is about, if any. */
  async function mailboxOf(
    act: ModerationAct,
    alert: Alert,
    conversationId: string | undefined,
  ): Promise<BlockedMailbox | null> {
    switch (act) {
      case "block":
      case "restore":
        return alert.ownerEmail === null ? null : blockable(alert.ownerEmail);
      case "block_writer": {
        const conversation = await store.conversation(conversationId ?? "");
        return conversation?.alertId === alert.id ? blockable(conversation.strangerEmail) : null;
      }
      case "hide":
      case "remove":
      case "dismiss":
        return null;
    }
  }

  function blockable(address: string): BlockedMailbox {
    const counted = mailboxAsCounted(address);
    return { counted, addressMark: vault.mark("address", counted) };
  }

  async function toldAlert(
    alert: Alert,
    reports: readonly Report[],
    isReported: boolean,
  ): Promise<ToldAlert> {
    return {
      alert: moderatedAlert(ports, alert, isReported),
      reports: await Promise.all(reports.map((report) => reportFace(ports, report))),
    };
  }

  return {
    /** What there is to look at. */
    async seen(): Promise<Desk> {
      const open = byAlert(await store.openReports(REPORTS_SHOWN));
      const queue = await Promise.all(
        [...open].map(async ([alertId, reports]) =>
          toldAlert(await alertOf(alertId), reports, true),
        ),
      );
      const quiet = (await store.hiddenAlerts(HIDDEN_SHOWN)).filter(({ id }) => !open.has(id));
      const ids = quiet.map(({ id }) => id);
      const closed = byAlert(await store.reportsAbout(ids, REPORTS_SHOWN));
      const hidden = await Promise.all(
        quiet.map((alert) => toldAlert(alert, closed.get(alert.id) ?? [], false)),
      );
      return { queue, hidden, log: await store.deeds(LOG_SHOWN) };
    },

    /** One alert, of any status. Throws `not_found`. */
    alertOf,

    /** The alert as it is shown there; whether anything is reported about it says what can be done. */
    faceOf: (alert: Alert, isReported: boolean): ModeratedAlert =>
      moderatedAlert(ports, alert, isReported),

    /** How many alerts of its owner can be seen: what a block hides. */
    shownOfOwner: async ({ ownerEmail }: Alert): Promise<number> =>
      ownerEmail === null ? 0 : store.countShown(mailboxAsCounted(ownerEmail)),

    /** Does it, writes it down as somebody's and closes the reports; says whether there was anything to do. */
    async carryOut(
      who: string,
      act: ModerationAct,
      alert: Alert,
      conversationId?: string,
    ): Promise<boolean> {
      const mailbox = await mailboxOf(act, alert, conversationId);
      const deed = { id: ports.dice.id(), at: ports.clock(), who, act, alertId: alert.id, mailbox };
      const done = await store.moderate(deed);
      await catchUp();
      return done;
    },
  };
}

function byAlert(reports: readonly Report[]): ReadonlyMap<string, readonly Report[]> {
  return Map.groupBy(reports, ({ alertId }) => alertId);
}

/** Throws `not_found` where there is no alert. */
export function requireKnown(alert: Alert | null): Alert {
  if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
  return alert;
}

function moderatedAlert(ports: Ports, alert: Alert, isReported: boolean): ModeratedAlert {
  const { links } = ports;
  return {
    ...draftFace(alert, links),
    photos: alert.photos.map(links.adminPhoto),
    thumbnails: alert.photos.map(links.adminThumbnail),
    status: alert.status,
    acts: MODERATION_ACTS.filter(
      (act) =>
        act !== "block_writer" && canModerate(alert, act) && (act !== "dismiss" || isReported),
    ),
  };
}

async function reportFace(ports: Ports, report: Report): Promise<ReportFace> {
  const { reason, text, createdAt, conversationId } = report;
  const conversation =
    conversationId === null ? null : await ports.store.conversation(conversationId);
  if (conversation === null) return { reason, text, createdAt, conversation: null };
  const { id, strangerName } = conversation;
  const said = await ports.store.messages(id, MESSAGES_SHOWN);
  const messages = said.map((one) => ({
    from: one.from,
    text: one.text,
    createdAt: one.createdAt,
  }));
  return { reason, text, createdAt, conversation: { id, strangerName, messages } };
}
