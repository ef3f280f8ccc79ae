import { createPhotoReader, type ResizedPhoto } from "./resize.ts";
import type { Photos } from "../core/photos/photo-files.ts";

/** Place where the files of photos lie. Names are well formed. */
export type PhotoFiles = Pick<Photos, "read" | "has" | "drop" | "names"> & {
  /** Stores both sizes. Storing a photo again renews its time. */
  put(name: string, photo: ResizedPhoto): Promise<void>;
};

/**
 * Photos in files, `<name>.webp` and `<name>-480.webp`, where the name is the first 128 bits of the SHA-256 of the full
 * photo, in hex.
 */
export function createPhotos(files: PhotoFiles): Photos {
  const readPhoto = createPhotoReader();
  return {
    async keep(photo, network) {
      const resized = await readPhoto(photo, network);
      const name = nameOf(resized.full);
      await files.put(name, resized);
      return name;
    },
    read: async (name, size) => (NAME.test(name) ? files.read(name, size) : null),
    has: async (name) => NAME.test(name) && files.has(name),
    async drop(name) {
      if (NAME.test(name)) await files.drop(name);
    },
    names: files.names,
  };
}

const NAME_LENGTH = 32;
const NAME = /^[0-9a-f]{32}$/;

function nameOf(full: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(full).digest("hex").slice(0, NAME_LENGTH);
}
