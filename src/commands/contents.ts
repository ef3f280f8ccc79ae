import type { Contents } from "../start.ts";
import { counted, many, type Progress } from "./progress.ts";

const BYTES_PER_MB = 1_000_000;

/** What a backup holds, in a line. */
export function contentsInWords({ alerts, zones, photos, bytes }: Contents): string {
  const megabytes = (bytes / BYTES_PER_MB).toFixed(1);
  const parts = [
    many(alerts, "alert", "alerts"),
    many(zones, "zone", "zones"),
    many(photos, "photo", "photos"),
  ];
  return `${parts.join(", ")}; database ${megabytes} MB`;
}

/** Shows how many picture files are copied. */
export function showCopying(progress: Progress) {
  return (done: number, of: number) =>
    progress.show(`${counted(done)} of ${many(of, "picture file", "picture files")}`);
}
