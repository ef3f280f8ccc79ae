import { z } from "zod";
import { type Alert, type AlertStatus, draftFace } from "./alert.ts";
import type { CatchUp } from "./catching-up.ts";
import type { DraftFace } from "./confirming.ts";
import { type Message, MESSAGES_SHOWN } from "./conversation.ts";
import { HOUR_MS, MINUTE_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { emailField, languageField, mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import type { Letter } from "./letter.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import type { PhotoSize, Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";
import {
  type BlockedMailbox,
  canModerate,
  type DeedLine,
  MODERATION_ACTS,
  type ModerationAct,
  OPERATOR,
  type Report,
} from "./report.ts";

/** Asking for the way in. */
export const signInInput = z.object({ email: emailField, language: languageField.optional() });
export type SignInInput = z.infer<typeof signInInput>;

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
/** What moderators look at. */
export type Desk = {
  /** Alerts with open reports; those that were reported last come first, and so do their reports. */
  readonly queue: readonly {
    readonly alert: ModeratedAlert;
    readonly reports: readonly ReportFace[];
  }[];
  /** Hidden alerts that nobody reported since, newest first. */
  readonly hidden: readonly ModeratedAlert[];
  /** Newest first. */
  readonly log: readonly DeedLine[];
};
/** The desk of one moderator. */
export type Moderation = Desk & {
  /** The moderator's own mailbox. */
  readonly who: string;
};

/** What is moderated: an alert, and for `block_writer` a conversation about it. */
export type Moderated = { readonly alertId: string; readonly conversationId?: string | undefined };

/** What the operator can do from a shell: all that needs no conversation to point at. */
export const OPERATOR_ACTS = ["hide", "restore", "remove", "block", "dismiss"] as const;
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

/** A link by e-mail works this long, and so does the session it opens. */
export const ADMIN_MS = 30 * MINUTE_MS;
const SIGN_IN_RATE = { max: 10, windowMs: HOUR_MS };
const SIGN_IN_MAIL_RATE = { max: 3, windowMs: HOUR_MS };
const REPORTS_SHOWN = 200;
const HIDDEN_SHOWN = 50;
const LOG_SHOWN = 50;

/**
 * Moderators: how they come in and what they do. Where nobody moderates, all throw `not_found`; what needs a session
 * throws `forbidden` without one.
 */
export function createModerating(
  ports: Ports,
  catchUp: CatchUp,
  lookUp: (name: string) => Promise<Alert | null>,
) {
  const { store, vault } = ports;

  /** The moderator a session belongs to. The settings may have changed since it was opened. */
  async function moderatorOf(session: string | null): Promise<string> {
    requireModerators();
    const email =
      session === null ? null : await store.adminSession(vault.tokenHash(session), ports.clock());
    if (email === null || !ports.adminEmails.includes(email))
      throw new Fault("forbidden", { reason: "sign_in" });
    return email;
  }

  function requireModerators(): void {
    if (ports.adminEmails.length === 0) throw new Fault("not_found", { reason: "nothing_here" });
  }

  const requireAlert = async (id: string): Promise<Alert> =>
    requireKnown(await store.alert({ by: "id", id }));

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

  async function desk(): Promise<Desk> {
    const reports = Map.groupBy(await store.openReports(REPORTS_SHOWN), (one) => one.alertId);
    const queue = await Promise.all(
      [...reports].map(async ([alertId, told]) => ({
        alert: moderatedAlert(ports, await requireAlert(alertId), true),
        reports: await Promise.all(told.map((report) => reportFace(ports, report))),
      })),
    );
    const hidden = (await store.hiddenAlerts(HIDDEN_SHOWN))
      .filter(({ id }) => !reports.has(id))
      .map((alert) => moderatedAlert(ports, alert, false));
    return { queue, hidden, log: await store.deeds(LOG_SHOWN) };
  }

  /** Says whether there was anything to do. */
  async function carryOut(
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
  }

  function blockable(address: string): BlockedMailbox {
    const counted = mailboxAsCounted(address);
    return { counted, addressMark: vault.mark("address", counted) };
  }

  return {
    requireModerators,

    /**
     * Sends a moderator the way in. The answer is the same for every address. Throws `too_many` by what the caller
     * asked, whatever the address.
     */
    async signIn(
      { email, language = "en" }: SignInInput,
      caller: Caller,
    ): Promise<{ readonly sentTo: string }> {
      requireModerators();
      const now = ports.clock();
      const address = recipient(email);
      const hits = callerHits("admin", SIGN_IN_RATE, caller, ports.sharedNetworks, vault);
      const retryAt = await store.count(hits, now);
      if (retryAt !== null) throw tooMany(retryAt, now);
      const mark = vault.mark("address", mailboxAsCounted(address));
      const isFull = await store.count([{ key: `admin:mail:${mark}`, ...SIGN_IN_MAIL_RATE }], now);
      const admin = ports.adminEmails.find((one) => one.toLowerCase() === address.toLowerCase());
      if (admin === undefined || isFull !== null) return { sentTo: maskedMailbox(address) };

      const token = newToken(ports.dice);
      const expiresAt = now + ADMIN_MS;
      const letter: Letter = {
        id: ports.dice.id(),
        to: admin,
        language,
        content: { kind: "admin", sealedToken: vault.seal(token), expiresAt },
        createdAt: now,
        giveUpAt: expiresAt,
      };
      await store.addAdminLink(
        { tokenHash: vault.tokenHash(token), email: admin, expiresAt },
        letter,
      );
      return { sentTo: maskedMailbox(address) };
    },

    /** Opens a session with the link of a letter, which works once; gives its token. Throws `not_found` for a spent or late link. */
    async enter(token: string): Promise<string> {
      requireModerators();
      const now = ports.clock();
      const session = newToken(ports.dice);
      const opened = await store.openAdminSession(
        vault.tokenHash(token),
        { tokenHash: vault.tokenHash(session), expiresAt: now + ADMIN_MS },
        now,
      );
      if (!opened) throw new Fault("not_found", { reason: "admin_link_spent" });
      return session;
    },

    async signOut(session: string): Promise<void> {
      await store.endAdminSession(vault.tokenHash(session));
    },

    async moderation(session: string | null): Promise<Moderation> {
      const who = await moderatorOf(session);
      return { who, ...(await desk()) };
    },

    /** One alert, to be asked about before something is done that cannot be taken back. */
    async moderated(session: string | null, alertId: string): Promise<ModeratedAlert> {
      await moderatorOf(session);
      return moderatedAlert(ports, await requireAlert(alertId), true);
    },

    /** A picture of any alert, hidden ones too, or null. */
    async moderatedPhoto(
      session: string | null,
      name: string,
      size: PhotoSize,
    ): Promise<Uint8Array | null> {
      await moderatorOf(session);
      return ports.photos.read(name, size);
    },

    /** Does it, writes it down and closes the reports about the alert. What was done already, or is not open, changes nothing. */
    async moderate(
      session: string | null,
      act: ModerationAct,
      { alertId, conversationId }: Moderated,
    ): Promise<void> {
      const who = await moderatorOf(session);
      await carryOut(who, act, await requireAlert(alertId), conversationId);
    },

    /** What moderators look at, for the operator: whoever may use the machine's own shell needs no session. */
    desk,

    /** An alert by any of its names, hidden and removed ones too; for the operator. Throws `not_found`. */
    standingOf: async (name: string): Promise<ModeratedAlert> =>
      moderatedAlert(ports, requireKnown(await lookUp(name)), true),

    /**
     * Does it for the operator, and writes it down as theirs; gives the alert as it stands then. Throws `not_found`,
     * and `conflict` when there was nothing to do.
     */
    async operate(act: OperatorAct, name: string): Promise<ModeratedAlert> {
      const alert = requireKnown(await lookUp(name));
      if (!(await carryOut(OPERATOR, act, alert)))
        throw new Fault("conflict", nothingToDo(act, alert));
      return moderatedAlert(ports, await requireAlert(alert.id), false);
    },
  };
}

function requireKnown(alert: Alert | null): Alert {
  if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
  return alert;
}

/** For the operator, in a sentence. */
function nothingToDo(act: OperatorAct, { shortCode, status, ownerEmail }: Alert): string {
  switch (act) {
    case "hide":
    case "restore":
    case "remove":
      return `Nothing was done: ${shortCode} is ${status}.`;
    case "block":
      return ownerEmail === null
        ? `Nothing was done: nobody is known to own ${shortCode}.`
        : `Nothing was done: the owner of ${shortCode} is blocked already.`;
    case "dismiss":
      return `Nothing was done: nothing is reported about ${shortCode}.`;
  }
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
