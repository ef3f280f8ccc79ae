import { LRUCache } from "lru-cache";
import { QUOTAS } from "../core/caps.ts";
import { createTaskQueue } from "../core/task-queue.ts";
import type { PreviewReport } from "./preview.worker.ts";
import type { DrawPreview, Preview } from "./preview-picture.ts";

const CACHED_BYTES_MAX = 8_000_000;

/**
 * Creates a function that draws the picture of an alert for link previews: the photo or a drawing on the left, a band with
 * "LOST" or "FOUND", the name and the town on the right. A thread draws one at a time and ends when none waits; with it go
 * the rasteriser and the font. Throws `unavailable` when too many wait.
 */
export function createPreviewPainter(): DrawPreview {
  const queue = createTaskQueue({
    atOnce: 1,
    perNetwork: QUOTAS.previewsPerNetwork,
    waitingMax: QUOTAS.previewsWaiting,
  });
  const painter = createPainter();
  let waiting = 0;

  async function draw(preview: Preview, network: string): Promise<Uint8Array<ArrayBuffer>> {
    waiting++;
    try {
      return await queue(network, () => painter.paint(preview));
    } finally {
      waiting--;
      if (waiting === 0) painter.end();
    }
  }

  // Readers of a picture that is being drawn wait for it together.
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>, [Preview, string]>({
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: (bytes) => bytes.length,
    fetchMethod: (_key, _old, { context }) => draw(...context),
    ignoreFetchAbort: true,
  });
  return (preview, network) => cache.forceFetch(preview.key, { context: [preview, network] });
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
