import type { Contents } from "./contents.ts";
import { copyInUse } from "./copying.ts";

// Copies a data folder while others go on using it. In the thread that serves, this would hold requests up.

export type CopyOrder = { readonly dataDir: string; readonly folder: string };
export type CopyReport =
  | { readonly kind: "progress"; readonly photos: number; readonly of: number }
  | { readonly kind: "done"; readonly contents: Contents }
  | { readonly kind: "failed"; readonly why: string };

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => {
  const report = (said: CopyReport) => self.postMessage(said);
  try {
    const contents = copyInUse(data.dataDir, data.folder, (photos, of) =>
      report({ kind: "progress", photos, of }),
    );
    report({ kind: "done", contents });
  } catch (error) {
    report({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
  }
};
