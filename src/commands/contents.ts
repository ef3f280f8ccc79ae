import type { Contents } from "../start.ts";
import { counted, type Progress } from "./progress.ts";

const BYTES_PER_MB = 1_000_000;

/** What a backup holds, in a line. */
export function contentsInWords({ alerts, zones, photos, bytes }: Contents): string {
  const megabytes = (bytes / BYTES_PER_MB).toFixed(1);
  return `${counted(alerts)} alerts, ${counted(zones)} zones, ${counted(photos)} photos; database ${megabytes} MB`;
}

/** Shows how many picture files are copied. */
export function showCopying(progress: Progress) {
  return (done: number, of: number) =>
    progress.show(`${counted(done)} of ${counted(of)} picture files`);
}
