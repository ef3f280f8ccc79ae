import type { PhotoActions } from "../photos/photos.ts";
import type { Secrets } from "../instance.ts";

/** Rows whose photos are fetched at once. */
const ROWS_AT_ONCE = 4;

/** Photos of a row by their addresses, and the keyed hash of these. */
export type RowPhotos = { readonly addresses: readonly string[]; readonly hash: string };

/** Photos of a read of a table, in numbers. */
export type RowPhotosResult = {
  fetched: number;
  /** Rows that get their photos at the next read. */
  waiting: number;
  readonly failed: { readonly id: string; readonly why: string }[];
};

/** Fetches the photos of rows, at most so many in all. */
export function createRowPhotos(photos: Pick<PhotoActions, "fetchedOfTable">, max: number) {
  let room = max;
  const result: RowPhotosResult = { fetched: 0, waiting: 0, failed: [] };

  /** Names of the photos of a row; null if they are to be fetched at the next read. */
  async function namesOf(id: string, { addresses }: RowPhotos): Promise<readonly string[] | null> {
    if (addresses.length > room) {
      result.waiting++;
      return null;
    }
    room -= addresses.length;
    const { names, unfetched, isBusy } = await photos.fetchedOfTable(addresses);
    if (isBusy) {
      result.waiting++;
      return null;
    }
    result.fetched += names.length;
    for (const { position, reason } of unfetched)
      result.failed.push({ id, why: `photo ${position}: ${reason.replace(/\.$/, "")}` });
    // Their server may be down.
    return names.length === 0 && addresses.length > 0 ? null : [...new Set(names)];
  }

  return {
    result,
    /** The photos of each row, in the order of the rows; null if it has none or gets them at the next read. */
    async fetch(
      rows: readonly { readonly id: string; readonly photos?: RowPhotos | null }[],
    ): Promise<(readonly string[] | null)[]> {
      const names: (readonly string[] | null)[] = [];
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        names.push(
          ...(await Promise.all(
            rows
              .slice(at, at + ROWS_AT_ONCE)
              .map(async (row) => (row.photos ? namesOf(row.id, row.photos) : null)),
          )),
        );
      return names;
    },
  };
}

/** Keyed hash of the fields of a row, by which a changed row is known, and its photos; null if it has none. */
export type HashedRow = { readonly fields: string; readonly photos: RowPhotos | null };

export function hashRow(
  secrets: Pick<Secrets, "keyedHash">,
  { photoUrls, ...fields }: Readonly<Record<string, unknown>>,
): HashedRow {
  const inOrder = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const addresses = Array.isArray(photoUrls) ? photoUrls.map(String) : [];
  return {
    fields: secrets.keyedHash("row", JSON.stringify(inOrder)),
    photos:
      addresses.length === 0
        ? null
        : { addresses, hash: secrets.keyedHash("row", JSON.stringify(["photos", ...addresses])) },
  };
}

const SEPARATOR = ".";

/** Hash kept with an alert: of the fields of its row and, if its photos came from there, of their addresses. */
export function joinHashes(fields: string, photos: string | null): string {
  return photos === null ? fields : `${fields}${SEPARATOR}${photos}`;
}

/** The two hashes kept with an alert. */
export function splitHash(kept: string): {
  readonly fields: string;
  readonly photos: string | null;
} {
  const [fields = "", photos = null] = kept.split(SEPARATOR);
  return { fields, photos };
}
