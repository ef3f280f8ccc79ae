import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** Temporary files of uploads that a process has open (Linux). They have no name any more. */
export function openUploads(pid: number | "self" = "self") {
  const folder = `/proc/${pid}/fd`;
  const files = readdirSync(folder).flatMap((number) => {
    const path = `${folder}/${number}`;
    return /\/upload-[\w-]+\.part \(deleted\)$/.test(targetOf(path)) ? [path] : [];
  });
  return {
    count: files.length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    /** What they hold, as text in which bytes are characters. */
    read: () => files.map((file) => readFileSync(file).toString("latin1")),
  };
}

/** Path of an open file; "" if it was closed meanwhile. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
