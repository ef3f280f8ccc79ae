import { readConfig } from "../../src/settings/config.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { start } from "../../src/start.ts";
import { jpeg } from "../support/picture.ts";
import { upload } from "../support/world.ts";
import { type Fetch, lostDog, submit, callTool } from "./client.ts";
import { beginRecording } from "./recorder.ts";

// `bun power-cut-load.ts DATA_DIR ALERTS`, with the recorder loaded: the whole service on a fresh folder, alerts
// published with photos, confirmed, written to and resolved, several at a time. What was answered is told to the
// recorder at the moment the answer is there.

/** Write that was acknowledged. */
export type Told =
  | { readonly kind: "asked"; readonly code: string }
  | { readonly kind: "live"; readonly id: string; readonly photos: readonly string[] }
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "resolved"; readonly id: string };

const AT_ONCE = 4;
/** An email comes with the next tick. */
const LOOKS_MAX = 20_000;
const LOOK_MS = 5;
const BASE_URL = "http://localhost:3000";

const [, , dataDir = "", alerts = "0"] = process.argv;
const tell: (told: Told) => void = beginRecording();
const transport = memoryTransport();
const app = await start(
  readConfig({
    BASE_URL,
    DATA_DIR: dataDir,
    LIMIT_READ: "off",
    LIMIT_PUBLISH: "off",
    LIMIT_MESSAGE: "off",
    BACKUP_KEEP: "off",
    // A slow request on a busy machine is no fault.
    LOG_REQUESTS: "off",
  }),
  {
    transport,
    log: (event, details) => {
      throw new Error(`${event} ${Bun.inspect(details)}`);
    },
  },
);

let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < Number(alerts)) await live(next++);
  }),
);
await app.stop();

/** One alert's life, as far as `number` lets it come. */
async function live(number: number): Promise<void> {
  // Each from an address of its own, so that no limit for one caller ends the load.
  const fetch: Fetch = async (address, init) => {
    const url = address.startsWith("http") ? address : `${BASE_URL}${address}`;
    return app.fetch(
      new Request(url, { redirect: "manual", ...init }),
      `10.1.${number >> 8}.${number & 255}`,
    );
  };
  const { email, ...about } = lostDog(number);
  const isWithPhoto = number % 3 === 0;
  if (isWithPhoto) {
    const { lat: _lat, lng: _lng, ...fields } = about;
    const photo = await jpeg({ width: 64 + number, height: 64 });
    const body = upload({ ...fields, email, place: "Lyon" }, [photo]);
    const answer = await fetch("/publish", { method: "POST", ...body });
    if (answer.status !== 303) throw new Error(`the form was refused: ${await answer.text()}`);
  } else {
    const asked = await callTool(fetch, "publish_alert", { ...about, email });
    if (asked.kind === "refused") throw new Error(asked.why);
    tell({ kind: "asked", code: asked.content.short_code });
  }
  const { slug, manage } = await confirmed(fetch, email);
  const alert: any = await (await fetch(`/api/v1/alerts/${slug}`)).json();
  const photos = alert.photos.map((address: string) => /[0-9a-f]{32}/.exec(address)?.[0] ?? "");
  if (isWithPhoto && photos.length === 0) throw new Error("the photo was not taken");
  tell({ kind: "live", id: alert.id, photos });
  if (number % 2 === 0) {
    const text = `I saw dog number ${number}.`;
    const finder = `finder-${number}@example.net`;
    await callTool(fetch, "send_message", { alert: alert.id, message: text, email: finder });
    await submit(fetch, await linkTo(finder, "/confirm/"));
    tell({ kind: "said", text });
  }
  if (number % 4 === 0) {
    const { status } = await submit(fetch, `${manage}/resolve`);
    if (status < 400) tell({ kind: "resolved", id: alert.id });
  }
}

async function confirmed(fetch: Fetch, email: string) {
  const { status, text } = await submit(fetch, await linkTo(email, "/confirm/"));
  const slug = /\/alerts\/([a-z0-9-]+)/.exec(text)?.[1];
  if (status !== 200 || slug === undefined) throw new Error(`the confirmation failed: ${status}`);
  return { slug, manage: await linkTo(email, "/manage/") };
}

async function linkTo(mailbox: string, part: string): Promise<string> {
  const pattern = new RegExp(`${BASE_URL}${part}[^\\s/]+`);
  for (let look = 0; look < LOOKS_MAX; look++) {
    await app.tick();
    for (const { envelope, mail } of transport.kept) {
      const link = envelope.to === mailbox ? pattern.exec(mail.text)?.[0] : undefined;
      if (link !== undefined) return link;
    }
    await Bun.sleep(LOOK_MS);
  }
  throw new Error(`no email with ${part} came to ${mailbox}`);
}
