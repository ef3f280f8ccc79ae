import { DAY_MS, HOUR_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { createTurns } from "./in-turn.ts";
import { badInput } from "./input.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import type { PhotoSize, Ports } from "./ports.ts";

/** What happens to pictures before and beside an alert. */
export type Picturing = ReturnType<typeof createPicturing>;

/** A picture that could not be fetched: the how manieth of the addresses, from 1, and why. */
export type Unfetched = { readonly at: number; readonly why: string };

/** Pictures one caller may hand in: enough for a few alerts, too few to fill a disk. */
const PHOTO_RATE = { max: 60, windowMs: HOUR_MS };
/** Pictures nobody asked to publish are kept this long: a form may be open for a while. */
const UNUSED_MS = DAY_MS;
/** Pictures looked at in one go of tidying. */
const TIDY_BATCH = 200;

type Needed = Pick<
  Ports,
  "store" | "photos" | "fetchPhoto" | "vault" | "clock" | "sharedNetworks" | "heldBack"
>;

export function createPicturing(ports: Needed) {
  const { photos, store } = ports;
  /** What verbs under way are putting to use. */
  const held = new Set<readonly string[]>();
  /** Pictures handed in since it was looked up which ones may go. */
  const fresh = new Set<string>();
  /** The picture that is being dropped just now. */
  let leaving: Promise<void> = Promise.resolve();
  let tidiedUpTo: string | null = null;
  /** Of two that tidied at once, each would forget what the other must know was handed in. */
  const inTurn = createTurns();

  async function countPhotos(count: number, caller: Caller): Promise<void> {
    const hits = callerHits("photo", PHOTO_RATE, caller, ports.sharedNetworks, ports.vault);
    const now = ports.clock();
    const each = Array.from({ length: count }, () => hits).flat();
    const retryAt = await store.count(each, now);
    if (retryAt !== null) throw tooMany(ports, "photo", retryAt, now);
  }

  async function keep(bytes: Uint8Array): Promise<string> {
    const name = await photos.keep(bytes);
    fresh.add(name);
    await store.forgetPhotos([name]);
    // The same picture may have been on its way out until now.
    await leaving;
    return (await photos.has(name)) ? name : photos.keep(bytes);
  }

  /** Deletes a picture, unless it is used, or was handed in or is being put to use just now; says whether it is gone. */
  async function dropUnused(name: string): Promise<boolean> {
    if (fresh.has(name) || [...held].some((names) => names.includes(name))) return false;
    const dropped = (async () => {
      if ((await store.photosInUse([name])).length > 0) return false;
      await photos.drop(name);
      return true;
    })();
    const done = () => {};
    leaving = dropped.then(done, done);
    return dropped;
  }

  async function dropGone(): Promise<void> {
    fresh.clear();
    const dropped: string[] = [];
    for (const name of await store.photosGone(TIDY_BATCH))
      if (await dropUnused(name)) dropped.push(name);
    if (dropped.length > 0) await store.forgetPhotos(dropped);
  }

  async function dropStrays(now: number): Promise<void> {
    fresh.clear();
    const page = await photos.names(tidiedUpTo, TIDY_BATCH);
    tidiedUpTo = page.length < TIDY_BATCH ? null : (page.at(-1)?.name ?? null);
    const old = page.filter(({ keptAt }) => keptAt < now - UNUSED_MS).map(({ name }) => name);
    const used = old.length === 0 ? [] : await store.photosInUse(old);
    for (const name of old.filter((one) => !used.includes(one))) await dropUnused(name);
  }

  return {
    /**
     * Keeps a picture that somebody handed in, without what it carried beside the picture; gives its name. It is public
     * only once an alert shows it. Throws `bad_input`, `bad_type`, `too_large`, `too_many` and `unavailable`.
     */
    async keepPhoto(bytes: Uint8Array, caller: Caller): Promise<string> {
      await countPhotos(1, caller);
      return keep(bytes);
    },

    /** A picture that some alert shows, or null. */
    photo: async (name: string, size: PhotoSize): Promise<Uint8Array | null> =>
      (await store.photoIsPublic(name)) ? photos.read(name, size) : null,

    /** A picture of the publication that waits behind a confirmation link, or null. */
    async draftPhoto(token: string, name: string, size: PhotoSize): Promise<Uint8Array | null> {
      const pending = await store.pendingByToken(ports.vault.tokenHash(token));
      if (pending === null || pending.expiresAt <= ports.clock()) return null;
      const { payload } = pending;
      const isIts = payload?.kind === "publish" && payload.draft.photos.includes(name);
      return isIts ? photos.read(name, size) : null;
    },

    /** The small picture under a name, for showing it again to whoever handed it in; null when it is not kept. */
    thumbnailOf: (name: string): Promise<Uint8Array | null> => photos.read(name, "thumb"),

    /**
     * Puts pictures to use by some work; none of them goes before it is done. Throws `bad_input` when one is not kept
     * (any more).
     */
    async using<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
      const mine = [...names];
      held.add(mine);
      try {
        await leaving;
        const kept = await Promise.all(mine.map((name) => photos.has(name)));
        if (!kept.every(Boolean))
          throw badInput([{ field: "photos", reason: { kind: "photo_gone" } }]);
        return await work();
      } finally {
        held.delete(mine);
      }
    },

    /** Fetches pictures side by side. What cannot be had is told and keeps nothing else from being done. */
    async fetched(
      addresses: readonly string[],
      caller: Caller,
    ): Promise<{ readonly names: readonly string[]; readonly unfetched: readonly Unfetched[] }> {
      if (addresses.length === 0) return { names: [], unfetched: [] };
      await countPhotos(addresses.length, caller);
      const fetchOne = async (address: string) => keep(await ports.fetchPhoto(address));
      const outcomes = await Promise.allSettled(addresses.map(fetchOne));
      const unfetched = outcomes.flatMap((outcome, at) => {
        if (outcome.status === "fulfilled") return [];
        // A bug is not the address's fault and has its own way out.
        if (!(outcome.reason instanceof Fault)) throw outcome.reason;
        return [{ at: at + 1, why: outcome.reason.message }];
      });
      const names = outcomes.flatMap((outcome) =>
        outcome.status === "fulfilled" ? [outcome.value] : [],
      );
      return { names, unfetched };
    },

    /** Deletes the files of pictures that nothing shows any more. */
    dropGone: (): Promise<void> => inTurn(dropGone),

    /** Deletes the files of pictures that nobody ever asked to publish: some at each call, in the end all. */
    dropStrays: (now: number): Promise<void> => inTurn(() => dropStrays(now)),
  };
}
