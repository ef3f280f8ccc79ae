import type { Alert, AlertNames, Language, PublicAlert } from "./alert.ts";
import type { MessageInput } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { mailbox, mailboxAsCounted, maskedMailbox } from "./input.ts";
import { DELIVERY_MS, type Letter, type PendingKind } from "./letter.ts";
import { type Caller, hitsFor } from "./limit.ts";
import { CONFIRM_MS, type Pending, type PendingPayload } from "./pending.ts";
import { snap } from "./place.ts";
import { birth, type PublishInput, type Removed } from "./publication.ts";
import { redact } from "./redact.ts";
import type { Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";
import { cleanText } from "./text.ts";
import { ZONE_RADIUS_KM_DEFAULT, type Zone, type ZoneInput } from "./zone.ts";

/** The answer to every write: nothing has happened yet. The same whether or not a letter went out. */
export type Asked = {
  /** Masked: `a…@e…`. */
  readonly sentTo: string;
  readonly expiresAt: number;
  /** What was taken out of the text. */
  readonly removed: readonly Removed[];
};
/** A publication's answer also tells the addresses its alert will have. */
export type AskedPublication = Asked & AlertNames & Pick<PublicAlert, "url" | "qrUrl">;

const CODE_TRIES = 5;

/**
 * The three writes. Each keeps a pending action and sends one confirmation letter; nothing else happens until a
 * person confirms. Errors: `bad_input`, `too_many` with the time to wait, for messages also `not_found`, `gone`
 * and `conflict` (the alert cannot be written to).
 */
export function createAsking(ports: Ports) {
  return {
    async publish(input: PublishInput, caller: Caller): Promise<AskedPublication> {
      for (let tries = 0; tries < CODE_TRIES; tries++) {
        const { draft, removed } = birth(input, ports.clock(), ports);
        const { id, slug, shortCode, ...content } = draft;
        const pending = await ask(ports, caller, input, {
          payload: { kind: "publish", draft, removed },
          names: { id, slug, shortCode },
          shortCode,
          content,
        });
        if (pending?.names) {
          return answerPublication(ports, input.email, pending, pending.names, removed);
        }
      }
      throw new Error("no free short code after several draws");
    },

    async message(input: MessageInput, alert: Alert, caller: Caller): Promise<Asked> {
      requireReachable(alert);
      const text = cleanMessage(input.message, alert.countryCode, "message");
      const name =
        input.name === undefined ? null : cleanMessage(input.name, alert.countryCode, "name");
      const removed = [...text.removed, ...(name?.removed ?? [])];
      const pending = await ask(ports, caller, input, {
        payload: {
          kind: "message",
          alertId: alert.id,
          text: text.text,
          name: name?.text ?? null,
          removed,
        },
        names: null,
        shortCode: alert.shortCode,
        content: { alertId: alert.id, text: text.text, name: name?.text ?? null },
      });
      return answer(input.email, kept(pending), removed);
    },

    async subscribe(input: ZoneInput, caller: Caller): Promise<Asked> {
      const label = input.label === undefined ? null : cleanText(input.label, { multiline: false });
      const content = {
        point: snap(input.lat, input.lng),
        radiusKm: input.radiusKm ?? ZONE_RADIUS_KM_DEFAULT,
        species: input.species ?? null,
        type: input.type ?? null,
        label: label === "" ? null : label,
      };
      const zone: Zone = {
        id: ports.dice.id(),
        ...content,
        email: recipient(input.email),
        language: input.language ?? "en",
        createdAt: ports.clock(),
      };
      const pending = await ask(ports, caller, input, {
        payload: { kind: "zone", zone },
        names: null,
        shortCode: null,
        content,
      });
      return answer(input.email, kept(pending), []);
    },
  };
}

/** The address of the owner a message about the alert would reach; throws when nobody would read it. */
export function requireReachable(alert: Alert): string {
  switch (alert.status) {
    case "hidden":
    case "removed":
      throw new Fault("gone", "This alert was removed.");
    case "resolved":
      throw new Fault("conflict", "This animal is home again; its alert takes no more messages.");
    case "active":
    case "expired":
  }
  if (alert.ownerEmail === null) {
    throw new Fault(
      "conflict",
      "Nobody can be written to about this alert: it has no owner on this server.",
    );
  }
  return alert.ownerEmail;
}

/** A private text, ready to be relayed: cleaned, and without contact details, which the platform keeps inside. */
export function cleanMessage(
  text: string,
  countryCode: string,
  field: string,
): { text: string; removed: Removed[] } {
  const found = redact(cleanText(text, { multiline: field === "message" }), { countryCode });
  if (found.text === "")
    throw new Fault("bad_input", `${field} must not be empty.`, {
      fields: [{ field, message: "must not be empty" }],
    });
  return {
    text: found.text,
    removed: found.removed.length === 0 ? [] : [{ field, kinds: found.removed }],
  };
}

type Wish = {
  readonly payload: PendingPayload;
  readonly names: AlertNames | null;
  /** The code its letter names; reserved for a publication. */
  readonly shortCode: string | null;
  /** All that makes this ask the same as another. */
  readonly content: object;
};

/** Null when the short code is taken. */
async function ask(
  ports: Ports,
  caller: Caller,
  asker: { email: string; language?: Language | undefined },
  wish: Wish,
): Promise<Pending | null> {
  const now = ports.clock();
  const kind: PendingKind = wish.payload.kind;
  const email = recipient(asker.email);
  const addressMark = ports.vault.mark("address", mailboxAsCounted(email));
  const token = newToken(ports.dice);
  const language = asker.language ?? "en";
  const pending: Pending = {
    id: ports.dice.id(),
    kind,
    tokenHash: ports.vault.tokenHash(token),
    email,
    addressMark,
    contentMark: ports.vault.mark("content", JSON.stringify([kind, email, wish.content])),
    language,
    names: wish.names,
    payload: wish.payload,
    result: null,
    state: "waiting",
    createdAt: now,
    expiresAt: now + CONFIRM_MS,
  };
  const letter: Letter = {
    id: ports.dice.id(),
    to: email,
    language,
    content: {
      kind: "confirm",
      action: kind,
      shortCode: wish.shortCode,
      sealedToken: ports.vault.seal(token),
      expiresAt: pending.expiresAt,
    },
    createdAt: now,
    giveUpAt: Math.min(pending.expiresAt, now + DELIVERY_MS),
  };
  const hits = hitsFor(kind, caller, addressMark, ports.rates, ports.sharedNetworks, ports.vault);
  const outcome = await ports.store.ask(
    { pending, letter, shortCode: kind === "publish" ? wish.shortCode : null, hits },
    now,
  );
  switch (outcome.kind) {
    case "kept":
      return outcome.pending;
    case "code_taken":
      return null;
    case "limited":
      throw tooMany(outcome.retryAt, now);
  }
}

function tooMany(retryAt: number, now: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new Fault(
    "too_many",
    `That was too often for now. Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`,
    {
      retryAfterSeconds,
    },
  );
}

function answerPublication(
  ports: Ports,
  email: string,
  pending: Pending,
  names: AlertNames,
  removed: readonly Removed[],
): AskedPublication {
  return {
    ...answer(email, pending, removed),
    ...names,
    url: ports.links.alert(names.slug),
    qrUrl: ports.links.qr(names.shortCode),
  };
}

function answer(email: string, pending: Pending, removed: readonly Removed[]): Asked {
  return { sentTo: maskedMailbox(email), expiresAt: pending.expiresAt, removed };
}

function kept(pending: Pending | null): Pending {
  if (pending === null) throw new Error("only a publication reserves a short code");
  return pending;
}

function recipient(email: string): string {
  const address = mailbox(email);
  if (address === null) throw new Error("the schema lets only mailboxes through");
  return address;
}
