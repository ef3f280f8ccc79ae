import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { QUOTAS } from "../core/caps.ts";
import { Fault } from "../core/fault.ts";
import { createMutex } from "../core/mutex.ts";
import { requireRoom, withDiskFaults } from "./photo-folder.ts";
import type { Random } from "../core/instance.ts";
import type { FormEntry, ReadMultipart, UploadedFile } from "../core/photos/photo-files.ts";

/** Characters of all fields together; they are held in memory. */
const TEXT_LENGTH_MAX = 128 * 1024;
/** More than any of our forms has. */
const PARTS_MAX = 200;

/** Place of the temporary files. */
export type UploadDisk = {
  readonly folder: string;
  /** Free space on its disk. */
  readonly freeBytes: () => Promise<number>;
  readonly random: Pick<Random, "id">;
};

/** Creates a function that reads multipart forms as they arrive. It holds their text in memory, and no photo. */
export function createFormReader(disk: UploadDisk): ReadMultipart {
  return async (chunks, contentType) => {
    const file = createTemporaryFile(disk);
    try {
      return { entries: await entriesOf(chunks, contentType, file), close: file.close };
    } catch (error) {
      await file.close();
      throw error;
    }
  };
}

/** Entries of a form in order, or what is wrong with it. */
async function entriesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  contentType: string,
  file: TemporaryFile,
): Promise<readonly FormEntry[] | Fault> {
  const parts: (FormEntry | Promise<FormEntry>)[] = [];
  const streams: Readable[] = [];
  // The next file may begin before the one before it is stored.
  const inTurn = createMutex();
  let fault: Fault | null = null;
  let length = 0;
  const parser = parserFor(contentType);
  if (parser === null) return broken();
  parser.on("partsLimit", () => (fault ??= broken()));
  parser.on("field", (name, value, _isNameCut, isCut) => {
    length += value.length;
    if (isCut || length > TEXT_LENGTH_MAX) fault ??= tooLong();
    else parts.push([name, value]);
  });
  parser.on("file", (field, stream, name) => {
    streams.push(stream);
    const stored = inTurn(() => file.store(name, stream));
    parts.push(stored.then((uploaded): FormEntry => [field, uploaded]));
  });
  try {
    await pipeline(chunks, parser);
  } catch (error) {
    for (const stream of streams) stream.destroy();
    await Promise.all(parts);
    // The parser's errors, such as for a body without an end, are plain ones; all others are faults or bugs.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    fault ??= broken();
  }
  const entries = await Promise.all(parts);
  return fault ?? entries;
}

function parserFor(contentType: string) {
  try {
    const limits = { fieldSize: TEXT_LENGTH_MAX, parts: PARTS_MAX };
    return new Busboy({ headers: { "content-type": contentType }, limits });
  } catch {
    // It names no boundary.
    return null;
  }
}

function broken(): Fault {
  return new Fault("bad_input", { reason: "form_broken" });
}

function tooLong(): Fault {
  return new Fault("too_large", { reason: "request_too_large", kib: TEXT_LENGTH_MAX / 1024 });
}

type TemporaryFile = ReturnType<typeof createTemporaryFile>;

/**
 * Creates a temporary file for the files of one form. It loses its name before its first byte, so that no photo with its
 * position outlives a process that is killed.
 */
function createTemporaryFile({ folder, freeBytes, random }: UploadDisk) {
  let handle: FileHandle | null = null;
  let end = 0;

  async function openNameless(): Promise<FileHandle> {
    await requireRoom(freeBytes);
    const path = join(folder, `upload-${random.id()}.part`);
    const opened = await open(path, "wx+", 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  async function append(chunk: Uint8Array): Promise<void> {
    if (end + chunk.length > QUOTAS.uploadBytes) {
      const mb = QUOTAS.uploadBytes / 1024 / 1024;
      throw new Fault("too_large", { reason: "photos_too_large", mb });
    }
    handle ??= await openNameless();
    for (let written = 0; written < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, written, undefined, end + written);
      written += bytesWritten;
    }
    end += chunk.length;
  }

  async function read(from: number, size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    for (let done = 0; handle !== null && done < size;) {
      const { bytesRead } = await handle.read(bytes, done, size - done, from + done);
      if (bytesRead === 0) throw new Error("The temporary file of a form is too short.");
      done += bytesRead;
    }
    return bytes;
  }

  return {
    /** Stores one file of the form. Never rejects: what went wrong is thrown where its bytes are read. */
    async store(name: string, chunks: AsyncIterable<Uint8Array>): Promise<UploadedFile> {
      const start = end;
      let size = 0;
      let failure: unknown = null;
      try {
        for await (const chunk of chunks) {
          size += chunk.length;
          // The rest is read all the same: fields may follow.
          if (failure !== null) continue;
          try {
            await withDiskFaults(() => append(chunk));
          } catch (error) {
            failure = error;
            end = start;
          }
        }
      } catch {
        // The body ended in the middle of this file, which the parser reports.
        failure ??= broken();
      }
      return {
        name,
        size,
        async bytes() {
          if (failure !== null) throw failure;
          return read(start, size);
        },
      };
    },
    close: async () => handle?.close(),
  };
}
