import { type Alert, type AlertRef, alertRef, faceOf, type PublicAlert } from "./alert.ts";
import type { Ports } from "./ports.ts";

/** Faces kept at most, with what doors make of them some 3 KB each. */
const FACES_MAX = 4_096;

/** The public faces of alerts; of those asked for lately, without asking the store. */
export type Faces = {
  /** Those of live alerts with these keys, in the order of the keys. */
  byKeys(keys: readonly number[]): Promise<PublicAlert[]>;
  /** The one of this name, in any state; `lookUp` reads its alert. Throws `not_found` and `gone`. */
  byName(name: string, lookUp: (name: string) => Promise<Alert | null>): Promise<PublicAlert>;
  /** Something about this alert has changed. */
  forget(publishedAt: number): void;
  /** Anything may have changed. */
  forgetAll(): void;
};

/**
 * Keeps faces of live alerts only: whatever shows of these raises the store's revision, so that `forget` hears of it.
 * Each is frozen, and the same object until its alert changes: doors hang what they make of it on that object.
 */
export function createFaces({ store, links }: Pick<Ports, "store" | "links">): Faces {
  /** What was asked for lately is in the younger half; the older one goes when that is full. */
  let young = createHalf();
  let old = createHalf();
  let changes = 0;

  function keep(face: PublicAlert): void {
    if (young.byKey.size >= FACES_MAX / 2) {
      old = young;
      young = createHalf();
    }
    young.byKey.set(face.publishedAt, face);
  }

  function recalled(key: number): PublicAlert | undefined {
    const face = young.byKey.get(key);
    if (face !== undefined) return face;
    const aged = old.byKey.get(key);
    if (aged !== undefined) keep(aged);
    return aged;
  }

  /**
   * Gives what `read` gives, and keeps it. What changes while the rows are on their way must not stay here as it was
   * before: then nothing is kept.
   */
  async function kept<Read extends readonly PublicAlert[]>(
    read: () => Promise<Read>,
  ): Promise<Read> {
    const before = changes;
    const faces = await read();
    if (changes === before) for (const face of faces) if (face.status === "active") keep(face);
    return faces;
  }

  /** The very object that is kept already, where an alert is asked for by a name for the first time. */
  async function readFace(
    name: string,
    lookUp: (name: string) => Promise<Alert | null>,
  ): Promise<PublicAlert> {
    const [face] = await kept(async () => {
      const read = faceOf(await lookUp(name), links);
      const known = recalled(read.publishedAt);
      return [known?.updatedAt === read.updatedAt ? known : frozen(read)] as const;
    });
    return face;
  }

  return {
    async byKeys(keys) {
      const known = keys.map(recalled);
      const missing = keys.filter((_, nth) => known[nth] === undefined);
      if (missing.length === 0) return known.filter((face) => face !== undefined);
      const read = await kept(async () => {
        const alerts = await store.alertsByKeys(missing);
        const live = alerts.filter(({ status }) => status === "active");
        return live.map((alert) => frozen(faceOf(alert, links)));
      });
      const fresh = new Map(read.map((face) => [face.publishedAt, face]));
      return keys.flatMap((key, nth) => known[nth] ?? fresh.get(key) ?? []);
    },

    async byName(name, lookUp) {
      const ref = alertRef(name);
      const called = ref === null ? name : nameIn(ref);
      const key = young.keyByName.get(called) ?? old.keyByName.get(called);
      const face =
        (key === undefined ? undefined : recalled(key)) ?? (await readFace(name, lookUp));
      const isKept = young.byKey.has(face.publishedAt);
      if (isKept && namesOf(face).includes(called)) young.keyByName.set(called, face.publishedAt);
      return face;
    },

    forget(publishedAt) {
      changes += 1;
      for (const { byKey, keyByName } of [young, old]) {
        const face = byKey.get(publishedAt);
        if (face === undefined) continue;
        byKey.delete(publishedAt);
        for (const name of namesOf(face)) keyByName.delete(name);
      }
    },

    forgetAll() {
      changes += 1;
      young = createHalf();
      old = createHalf();
    },
  };
}

/** Faces by key, and keys by the names that were asked for: whose a name is never changes. */
function createHalf() {
  return { byKey: new Map<number, PublicAlert>(), keyByName: new Map<string, number>() };
}

/** No two kinds of names look alike: see `alertRef`. */
function namesOf({ id, slug, shortCode }: PublicAlert): readonly string[] {
  return [id, slug, shortCode];
}

function nameIn(ref: AlertRef): string {
  switch (ref.by) {
    case "id":
      return ref.id;
    case "slug":
      return ref.slug;
    case "code":
      return ref.code;
  }
}

function frozen(face: PublicAlert): PublicAlert {
  Object.freeze(face.photos);
  Object.freeze(face.thumbnails);
  return Object.freeze(face);
}
