import { LRUCache } from "lru-cache";
import { STOCKS } from "../core/caps.ts";
import { createFairQueue } from "../core/fair-queue.ts";
import type { DrawPreview, Preview } from "../core/ports.ts";
import type { PreviewReport } from "./preview.worker.ts";

const CACHED_BYTES_MAX = 8_000_000;

/**
 * Creates a function that draws the picture of an alert for link previews: the photo or a drawing on the left, a band with
 * "LOST" or "FOUND", the name and the town on the right. A thread draws one at a time, clients in turn, and ends when none
 * waits; with it go the rasteriser and the font. Throws `unavailable` when too many wait.
 */
export function createPreviewPainter(): DrawPreview {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: (bytes) => bytes.length,
  });
  const drawing = createFairQueue({ atOnce: 1, waitingMax: STOCKS.previewsWaiting });
  const painter = createPainter();
  let waiting = 0;

  return async (preview, client) => {
    const known = cache.get(preview.key);
    if (known !== undefined) return known;
    waiting++;
    try {
      return await drawing(client, async () => {
        const drawn = cache.get(preview.key) ?? (await painter.paint(preview));
        cache.set(preview.key, drawn);
        return drawn;
      });
    } finally {
      waiting--;
      if (waiting === 0) painter.end();
    }
  };
}

/** Thread that draws one picture at a time, started when it is needed. */
function createPainter() {
  let worker: Worker | null = null;
  return {
    async paint(preview: Preview): Promise<Uint8Array<ArrayBuffer>> {
      worker ??= new Worker(new URL("./preview.worker.ts", import.meta.url).href, { smol: true });
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      worker.onmessage = ({ data }: MessageEvent<PreviewReport>) =>
        "jpeg" in data ? resolve(data.jpeg) : reject(new Error(data.why));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(preview);
      return promise;
    },
    end(): void {
      worker?.terminate();
      worker = null;
    },
  };
}
