import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import type { Letter } from "../core/letter.ts";
import type { Clock } from "../core/ports.ts";
import type { Store } from "../core/store.ts";
import type { ComposedLetter } from "./letters.ts";
import type { Mail } from "./message.ts";
import { type Delivery, SMTP_CONNECTIONS, type Transport } from "./transport.ts";

/** Takes letters from the outbox to the transport. */
export type Postman = {
  /**
   * Fills the free places with due letters, and fills each again as it comes free. Resolves when the letters it
   * started are dealt with; need not be awaited, never throws, and may be called while an earlier call still runs.
   */
  tick(now: number): Promise<void>;
  /** Starts no more letters; resolves when those under way are dealt with. Close the transport to cut them short. */
  stop(): Promise<void>;
  /** No letter is sent before this time; null while all is well. */
  readonly pausedUntil: number | null;
};

export type PostmanParts = {
  readonly store: Pick<Store, "leaseLetters" | "closeLetter" | "postponeLetter">;
  readonly transport: Transport;
  readonly compose: (letter: Letter) => ComposedLetter;
  readonly clock: Clock;
  /** Whether the clock can be trusted with what cannot be undone: a letter is not given up because the clock jumped. */
  readonly isSteady: (now: number) => Promise<boolean>;
  /** For the operator. The text holds no mailbox, no link and nothing the public wrote. */
  readonly log: (text: string, error?: unknown) => void;
  /** Told what became of a letter each time it was tried, or when it was given up. */
  readonly told: (outcome: Delivery["kind"] | "given_up") => void;
};

/** Letters under way at once, while the mail server answers as servers do. */
export const PLACES = 4;
/** A letter that takes longer gives its place away and goes on beside the others, as long as there are connections. */
export const SLOW_MS = 10_000;
/** Letters to one domain under way at once: mailboxes that hang hold no mail but their own domain's. */
export const PLACES_A_DOMAIN = 3;
/** A letter whose worker died is taken up by another after this. */
const LEASE_MS = 10 * MINUTE_MS;
/** Letters one tick sends at most; the next goes on. */
const LETTERS_A_TICK = 500;
/** Pauses of the transport, and of a letter that had to wait. */
const PAUSE_MIN_MS = MINUTE_MS;
const PAUSE_MAX_MS = HOUR_MS;
/** A letter we fail to put into words is a bug: it waits for the mended program. */
const UNSPEAKABLE_MS = HOUR_MS;

export function createPostman(parts: PostmanParts): Postman {
  const { store, transport, compose, clock, isSteady, log, told } = parts;
  const pause = createPause();
  const underWay = new Set<Sending>();
  /** Letters are taken one after the other, so that each finds the places as those before it left them. */
  let taking: Promise<unknown> = Promise.resolve();
  /** What became of letters that the store could not note: they are noted later instead of sent again. */
  const unnoted = new Map<string, Fate>();
  let stopping = false;

  async function tick(now: number): Promise<void> {
    const budget = { letters: LETTERS_A_TICK };
    const started: Promise<void>[] = [];
    for (;;) {
      const taken = await take(now, PLACES, budget);
      if (taken.length === 0) break;
      started.push(...taken.map((sending) => deliverFrom(sending, budget)));
    }
    await Promise.all(started);
  }

  async function deliverFrom(first: Sending, budget: { letters: number }): Promise<void> {
    let sending: Sending | undefined = first;
    while (sending !== undefined) {
      const { letter } = sending;
      try {
        await note(letter, unnoted.get(letter.id) ?? (await fateOf(letter)));
      } finally {
        underWay.delete(sending);
      }
      [sending] = await take(clock(), 1, budget);
    }
  }

  function take(now: number, most: number, budget: { letters: number }): Promise<Sending[]> {
    const taken = taking.then(() => takeNow(now, most, budget));
    taking = taken;
    return taken;
  }

  async function takeNow(
    now: number,
    most: number,
    budget: { letters: number },
  ): Promise<Sending[]> {
    const limit = Math.min(most, freePlaces(underWay, now), budget.letters);
    if (stopping || limit <= 0 || pause.holds(now)) return [];
    const letters = await lease(now, limit);
    const taken = letters.flatMap((letter) => {
      const domain = domainOf(letter);
      if (isFull(domain, underWay)) return [];
      const sending = { letter, domain, since: now };
      underWay.add(sending);
      return [sending];
    });
    budget.letters -= taken.length;
    const left = letters.filter((one) => !taken.some(({ letter }) => letter === one));
    for (const letter of left)
      await note(letter, unnoted.get(letter.id) ?? { kind: "postponed", dueAt: now });
    return taken;
  }

  async function lease(now: number, limit: number): Promise<Letter[]> {
    const full = [...underWay].map(({ domain }) => domain).filter((one) => isFull(one, underWay));
    try {
      return await store.leaseLetters(now, LEASE_MS, limit, [...new Set(full)]);
    } catch (error) {
      log("Letters could not be fetched from the outbox.", error);
      return [];
    }
  }

  async function fateOf(letter: Letter): Promise<Fate> {
    const now = clock();
    if (now >= letter.giveUpAt && (await isSteady(now))) {
      told("given_up");
      return { kind: "given_up" };
    }
    let composed: ComposedLetter;
    try {
      composed = compose(letter);
    } catch (error) {
      log(`Letter ${letter.id} could not be written.`, error);
      return { kind: "postponed", dueAt: now + UNSPEAKABLE_MS };
    }
    const { id, to, language, createdAt } = letter;
    const round = pause.round;
    const delivery = await sent({ ...composed, id, to, language, createdAt, sentAt: now });
    return judge(letter, delivery, round);
  }

  async function sent(mail: Mail): Promise<Delivery> {
    try {
      return await transport.send(mail);
    } catch (error) {
      log(`Letter ${mail.id} made the transport fail.`, error);
      return { kind: "deferred", why: "a fault of the program" };
    }
  }

  function judge(letter: Letter, delivery: Delivery, round: number): Fate {
    const now = clock();
    told(delivery.kind);
    const why = "why" in delivery ? withoutMailbox(delivery.why, letter.to) : "";
    switch (delivery.kind) {
      case "sent":
        pause.end();
        return { kind: "sent" };
      case "refused":
        pause.end();
        log(`Letter ${letter.id} was refused: ${why}`);
        return { kind: "refused" };
      case "deferred":
        log(`Letter ${letter.id} has to wait: ${why}`);
        return { kind: "postponed", dueAt: now + waitOf(letter, now) };
      case "later": {
        if (stopping) return { kind: "postponed", dueAt: now };
        const until = pause.begin(now, round);
        log(`Mail waits until ${new Date(until).toISOString()}: ${why}`);
        return { kind: "postponed", dueAt: Math.max(until, now + waitOf(letter, now)) };
      }
    }
  }

  async function note(letter: Letter, fate: Fate): Promise<void> {
    try {
      if (fate.kind === "postponed") await store.postponeLetter(letter.id, fate.dueAt);
      else await store.closeLetter(letter.id, fate.kind, clock());
      unnoted.delete(letter.id);
    } catch (error) {
      if (fate.kind !== "postponed") unnoted.set(letter.id, fate);
      log(`What became of letter ${letter.id} could not be noted: ${fate.kind}.`, error);
    }
  }

  const ticking = new Set<Promise<void>>();
  return {
    tick: (now) => during(ticking, tick(now)),
    async stop() {
      stopping = true;
      await Promise.all(ticking);
    },
    get pausedUntil() {
      return pause.until;
    },
  };
}

/** A letter that has a place. */
type Sending = { readonly letter: Letter; readonly domain: string; readonly since: number };

function freePlaces(underWay: ReadonlySet<Sending>, now: number): number {
  const quick = [...underWay].filter(({ since }) => now - since < SLOW_MS).length;
  return Math.min(PLACES - quick, SMTP_CONNECTIONS - underWay.size);
}

function isFull(domain: string, underWay: ReadonlySet<Sending>): boolean {
  return [...underWay].filter((other) => other.domain === domain).length >= PLACES_A_DOMAIN;
}

function domainOf({ to }: Letter): string {
  return to.slice(to.lastIndexOf("@") + 1);
}

/** Servers repeat the recipient's name in their replies, without its domain too; logs hold neither. */
function withoutMailbox(why: string, to: string): string {
  const at = to.lastIndexOf("@");
  return [to, to.slice(0, at), to.slice(at + 1)].reduce(
    (text, part) =>
      text.replace(new RegExp(`(?<![\\w.-])${RegExp.escape(part)}(?![\\w-])`, "gi"), "[reader]"),
    why,
  );
}

/** The set holds the work while it lasts. */
function during(set: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  const held = work.finally(() => set.delete(held));
  set.add(held);
  return held;
}

type Fate =
  | { readonly kind: "sent" | "refused" | "given_up" }
  | { readonly kind: "postponed"; readonly dueAt: number };

/**
 * How long a letter that failed waits: a minute at first, then about twice its age, an hour at most. Longer than the
 * transport's own pause, so that a letter that fails again and again is not the first to be tried every time.
 */
function waitOf(letter: Letter, now: number): number {
  const age = Math.max(0, now - letter.createdAt);
  return Math.min(PAUSE_MIN_MS + 2 * age, PAUSE_MAX_MS);
}

/** A minute, doubling up to an hour while nothing goes out. Letters that fail side by side count as one failure. */
function createPause() {
  let until: number | null = null;
  let nextMs = PAUSE_MIN_MS;
  let round = 0;
  return {
    get until() {
      return until;
    },
    /** Which pause a letter starts after. */
    get round() {
      return round;
    },
    /** A pause longer than any there is was begun by a clock that has stepped back since. */
    holds: (now: number) => until !== null && now < until && until - now <= PAUSE_MAX_MS,
    begin(now: number, startedIn: number): number {
      if (startedIn !== round && until !== null) return until;
      until = now + nextMs;
      nextMs = Math.min(nextMs * 2, PAUSE_MAX_MS);
      round += 1;
      return until;
    },
    end() {
      until = null;
      nextMs = PAUSE_MIN_MS;
    },
  };
}
