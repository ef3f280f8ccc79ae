import { openTombstones } from "../../db/sqlite/tombstones.ts";
import { DAWN, DAY } from "../support/time.ts";
import { beginRecording } from "./recorder.ts";

// `bun erased-list-load.ts DATA_DIR LINES`, with the recorder loaded: adds lines to the list of what was erased, and
// forgets the older half. After each step it tells the recorder which lines must be in the list from now on.

const [, , folder = "", lines = "0"] = process.argv;
const told = beginRecording();
const list = openTombstones(folder, (_purpose, text) =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex"),
);

const added: string[] = [];
for (let day = 0; day < Number(lines); day++) {
  added.push(await list.add("mailbox", `person-${day}@example.org`, DAWN + day * DAY));
  told(added);
}
const half = Math.floor(added.length / 2);
await list.forget(DAWN + half * DAY);
told(added.slice(half));
