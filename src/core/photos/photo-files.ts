import type { Fault } from "../fault.ts";

export type PhotoSize = "full" | "thumb";
const SUFFIX: Readonly<Record<PhotoSize, string>> = { full: ".webp", thumb: "-480.webp" };
const FILE = /^([0-9a-f]{32})(-480)?\.webp$/;

/** Name of a photo's file: `3f…a0.webp`, or `3f…a0-480.webp` for the thumbnail. */
export function photoFile(name: string, size: PhotoSize): string {
  return `${name}${SUFFIX[size]}`;
}

/** Name and size of the photo in a file; null for any other file. */
export function photoOfFile(
  file: string,
): { readonly name: string; readonly size: PhotoSize } | null {
  const [, name, thumb] = FILE.exec(file) ?? [];
  return name === undefined ? null : { name, size: thumb === undefined ? "full" : "thumb" };
}

/** Photo to be stored. It is read when its turn has come, and may be read again. */
export type PhotoFile = { bytes(): Promise<Uint8Array> };

/** File of a form. Its bytes cannot be read once the form is closed; reading them throws what kept it from being stored. */
export type UploadedFile = PhotoFile & {
  /** Name by its sender. */
  readonly name: string;
  readonly size: number;
};

export type FormEntry = readonly [field: string, value: string | UploadedFile];

/** Reads a multipart form to its end. Throws what `chunks` throws. */
export type ReadMultipart = (
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  contentType: string,
) => Promise<{
  /** Entries in order, or what is wrong with the form. */
  readonly entries: readonly FormEntry[] | Fault;
  /** Deletes the files. */
  close(): Promise<void>;
}>;

/** Photo files, named by a hash of their content. */
export interface Photos {
  /**
   * Re-encodes and stores a photo. Returns its name. Photos are decoded one at a time, those of each network in turn.
   * Throws `bad_input`, `bad_type`, `too_large` (also if the disk has no room for photos), and `unavailable` if it is full
   * or too many wait.
   */
  keep(photo: PhotoFile, network: string): Promise<string>;
  /** WebP bytes of a photo; null for an unknown or malformed name. */
  read(name: string, size: PhotoSize): Promise<Uint8Array | null>;
  has(name: string): Promise<boolean>;
  /** Deletes both sizes. Idempotent. */
  drop(name: string): Promise<void>;
  /** Page of stored names in ascending order, after the last name of the previous page; to find unused photos. */
  names(
    after: string | null,
    limit: number,
  ): Promise<{ readonly name: string; readonly keptAt: number }[]>;
}
