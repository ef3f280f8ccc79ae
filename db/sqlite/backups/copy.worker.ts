import type { Contents } from "./check.ts";
import { copyLive } from "./copy.ts";
import { isDamage } from "../open.ts";

// Copies a data folder that is in use. On the main thread this would block requests.

export type CopyOrder = {
  readonly dataDir: string;
  readonly folder: string;
};
export type CopyReport =
  | { readonly kind: "progress"; readonly photos: number; readonly of: number }
  | { readonly kind: "done"; readonly contents: Contents }
  | { readonly kind: "failed"; readonly why: string };

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => {
  const report = (message: CopyReport) => self.postMessage(message);
  try {
    const contents = copyLive(data.dataDir, data.folder, (photos, of) =>
      report({ kind: "progress", photos, of }),
    );
    report({ kind: "done", contents });
  } catch (error) {
    report({ kind: "failed", why: reasonOf(error) });
  }
};

function reasonOf(error: unknown): string {
  if (isDamage(error)) return "the database is damaged, or is not a database";
  return error instanceof Error ? error.message : String(error);
}
