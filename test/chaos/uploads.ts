import { jpeg } from "../support/picture.ts";
import { peakMemoryMb, scratchFolder, type Served, serve } from "../support/process.ts";
import { LOST_CAT, upload } from "../support/world.ts";
import type { Fault } from "./fault.ts";

const AT_ONCE = 24;
const PHOTOS = 3;
const UPLOAD_BYTES = 7_900_000;
/** Retries of an upload that is refused for now. */
const TRIES_MAX = 20;

/** The whole process. */
const MEMORY_MB_MAX = 300;

export const uploads: Fault = {
  name: "many uploads at once",
  promise: `${AT_ONCE} uploads of 8 MB at once, with ${PHOTOS} photos of 12 megapixels each, all succeed, and memory stays under ${MEMORY_MB_MAX} MB`,
  async run(say) {
    const held = await rush();
    say(`at most ${held.peakMb} MB resident (${held.startMb} MB before)`);
    if (held.peakMb > MEMORY_MB_MAX) held.failures.push(`it took ${held.peakMb} MB`);
    return {
      tried: `${AT_ONCE} uploads of 8 MB at once, ${held.refused} told to come again, ${held.peakMb} MB resident at most`,
      failures: held.failures,
    };
  },
};

/** Sends all of them at once, each from a network of its own, and again those that are told to come again. */
async function rush() {
  const folder = scratchFolder();
  const served = await serve(folder.path, { TRUST_PROXY: "1" });
  const startMb = peakMemoryMb(served.child.pid);
  const photo = await jpeg({ width: 4000, height: 3000 });
  const failures: string[] = [];
  let refused = 0;
  let waiting = Array.from({ length: AT_ONCE }, (_, at) => at);
  for (let tries = 0; waiting.length > 0 && tries < TRIES_MAX; tries += 1) {
    const answers = await Promise.all(
      waiting.map(async (at) => ({ at, answer: await publish(served, at, photo) })),
    );
    waiting = [];
    for (const { at, answer } of answers) {
      if (answer.status === 503 && answer.retryAfter !== null) waiting.push(at);
      else if (answer.status !== 303) failures.push(`an upload was answered with ${answer.status}`);
    }
    if (tries === 0) refused = waiting.length;
  }
  if (waiting.length > 0) failures.push(`${waiting.length} uploads never succeeded`);
  const peakMb = peakMemoryMb(served.child.pid);
  if ((await served.stop()) !== 0) failures.push("it did not end well");
  folder.forget();
  return { failures, refused, startMb, peakMb };
}

async function publish(served: Served, at: number, photo: Uint8Array) {
  const { type, species, color } = LOST_CAT;
  const email = `person${at}@example.org`;
  const given = { type, species, color, email, place: "Lyon" };
  // What stands behind the end of a picture travels with it and is left out here.
  const trailer = Buffer.alloc(Math.floor(UPLOAD_BYTES / PHOTOS) - photo.length);
  const photos = Array.from({ length: PHOTOS }, () => Buffer.concat([photo, trailer]));
  const answer = await served.fetch("/publish", {
    method: "POST",
    headers: { "X-Forwarded-For": `198.51.${at}.7` },
    ...upload(given, photos),
  });
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: answer.headers.get("Retry-After") };
}
