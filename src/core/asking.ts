import type { Alert, AlertNames, Language, PublicAlert } from "./alert.ts";
import type { MessageInput } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { badInput, mailboxAsCounted, maskedMailbox, recipient } from "./input.ts";
import { DELIVERY_MS, type Letter, type PendingKind } from "./letter.ts";
import { type Caller, hitsFor, tooMany } from "./limit.ts";
import { CONFIRM_MS, type Pending, type PendingPayload } from "./pending.ts";
import { snap } from "./place.ts";
import type { Picturing, Unfetched } from "./picturing.ts";
import { birth, PHOTOS_MAX, type PublishInput, type Removed } from "./publication.ts";
import { redact } from "./redact.ts";
import type { Ports } from "./ports.ts";
import { requireAtLarge, sightingDraft, type SightingInput } from "./sighting.ts";
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
  /** Opens the page that tells how the ask stands, where the letter can be asked for again. */
  readonly ticket: string;
};
/** A publication's answer also tells the addresses its alert will have. */
export type AskedPublication = Asked &
  AlertNames &
  Pick<PublicAlert, "url" | "qrUrl"> & {
    /** Pictures that could not be fetched: which one, counted from 1, and why. */
    readonly unfetched: readonly Unfetched[];
  };

const CODE_TRIES = 5;

/**
 * The writes. Each keeps a pending action and sends one confirmation letter; nothing else happens until a
 * person confirms. Errors: `bad_input`, `too_many` with the time to wait, for messages and sightings also `not_found`,
 * `gone` and `conflict` (the alert takes none).
 */
export function createAsking(ports: Ports, picturing: Picturing) {
  return {
    /** `photos` are names of kept pictures; those at `input.photoUrls` are fetched and follow them. */
    async publish(
      input: PublishInput,
      caller: Caller,
      photos: readonly string[] = [],
    ): Promise<AskedPublication> {
      const fetched = await picturing.fetched(input.photoUrls ?? [], caller);
      const shown = [...new Set([...photos, ...fetched.names])].slice(0, PHOTOS_MAX);
      return picturing.using(shown, async () => {
        for (let tries = 0; tries < CODE_TRIES; tries++) {
          const { draft, removed } = birth(input, ports.clock(), ports, shown);
          const { id, slug, shortCode, ...content } = draft;
          const pending = await ask(ports, caller, input, {
            payload: { kind: "publish", draft, removed },
            names: { id, slug, shortCode },
            shortCode,
            content,
          });
          if (pending?.names) {
            return {
              ...answer(ports, pending, removed, input.email),
              ...pending.names,
              url: ports.links.alert(pending.names.slug),
              qrUrl: ports.links.qr(pending.names.shortCode),
              unfetched: fetched.unfetched,
            };
          }
        }
        throw new Error("no free short code after several draws");
      });
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
      return answer(ports, kept(pending), removed, input.email);
    },

    async sighting(input: SightingInput, alert: Alert, caller: Caller): Promise<Asked> {
      const now = ports.clock();
      requireAtLarge(alert, now);
      const { draft, removed } = sightingDraft(input, alert, ports.gazetteer, now);
      const { seenAt: _seenAt, ...seen } = draft;
      const pending = await ask(ports, caller, input, {
        payload: { kind: "sighting", alertId: alert.id, sighting: draft, removed },
        names: null,
        shortCode: alert.shortCode,
        // By what was said of the time: "now" is another time at every press.
        content: { alertId: alert.id, ...seen, when: [input.seenAt, input.hoursAgo] },
      });
      return answer(ports, kept(pending), removed, input.email);
    },

    async subscribe(input: ZoneInput, caller: Caller): Promise<Asked> {
      const point = snap(input.lat, input.lng);
      const { countryCode } = ports.gazetteer.nearest(point);
      // Whoever asks writes it, and the mailbox that confirms gets it in every letter.
      const label = redact(cleanText(input.label ?? "", { multiline: false }), { countryCode });
      const removed = label.removed.length === 0 ? [] : [{ field: "label", kinds: label.removed }];
      const content = {
        point,
        radiusKm: input.radiusKm ?? ZONE_RADIUS_KM_DEFAULT,
        species: input.species ?? null,
        type: input.type ?? null,
        label: label.text === "" ? null : label.text,
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
      return answer(ports, kept(pending), removed, input.email);
    },
  };
}

/** The address of the owner a message about the alert would reach; throws when nobody would read it. */
export function requireReachable(alert: Alert): string {
  switch (alert.status) {
    case "hidden":
    case "removed":
      throw new Fault("gone", { reason: "alert_removed" });
    case "resolved":
      throw new Fault("conflict", { reason: "animal_home" });
    case "active":
    case "expired":
  }
  if (alert.ownerEmail === null) {
    throw new Fault("conflict", { reason: "no_owner" });
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
  if (found.text === "") throw badInput([{ field, reason: { kind: "empty" } }]);
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
    askedAgain: false,
    readdressed: 0,
  };
  const letter = confirmationLetter(ports, pending, wish.shortCode, token, now);
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
      throw tooMany(ports, kind, outcome.retryAt, now);
  }
}

/** Asks the person at the address to confirm. Holds no word of whoever asked. */
export function confirmationLetter(
  ports: Ports,
  pending: Pending,
  shortCode: string | null,
  token: string,
  now: number,
): Letter {
  return {
    id: ports.dice.id(),
    to: pending.email,
    language: pending.language,
    content: {
      kind: "confirm",
      action: pending.kind,
      shortCode,
      sealedToken: ports.vault.seal(token),
      expiresAt: pending.expiresAt,
    },
    createdAt: now,
    giveUpAt: Math.min(pending.expiresAt, now + DELIVERY_MS),
  };
}

/** The same ask again answers as the first did. */
function answer(ports: Ports, pending: Pending, removed: readonly Removed[], email: string): Asked {
  return {
    sentTo: maskedMailbox(email),
    expiresAt: pending.expiresAt,
    removed,
    ticket: ports.vault.seal(pending.id),
  };
}

function kept(pending: Pending | null): Pending {
  if (pending === null) throw new Error("only a publication reserves a short code");
  return pending;
}
