import { afterEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOMBSTONES_FILE } from "../db/sqlite/tombstones.ts";
import { backUp } from "../db/sqlite/backups/backup.ts";
import { restore } from "../db/sqlite/backups/restore.ts";
import { jpeg } from "./support/picture.ts";
import { createWorld, LOST_CAT, upload, type World } from "./support/world.ts";
import { bytesIn } from "./support/disk.ts";
import { DAY } from "./support/time.ts";

test("after an owner removes an alert no byte of what was said, of who said it or of its photos is left in the data folder", async () => {
  const world = await createWorld();
  const { type, species, color } = LOST_CAT;
  const email = "canary-owner@example.org";
  const words = { name: "canary-name", description: "canary-description" };
  const fields = { type, species, color, ...words, email, place: "Lyon" };
  const photo = await jpeg({ width: 320, height: 200 });
  await world.fetch("/publish", { method: "POST", ...upload(fields, [photo]) });
  await world.confirm(email);
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  const stranger = { message: "canary-message", email: "canary-stranger@example.org" };
  await world.tool("send_message", { alert: alert.id, ...stranger });
  await world.confirm(stranger.email);
  const shown = await (await world.fetch(alert.photos[0])).bytes();
  // From the middle of the picture, so that no other file holds it by chance.
  const piece = Buffer.from(shown.subarray(shown.length >> 1, (shown.length >> 1) + 24));
  const canaries = [
    ...["owner", "name", "description", "stranger", "message"].map((what) => `canary-${what}`),
    piece.toString("latin1"),
  ];
  const manage = await world.linkTo(email, "/manage/");
  const left = () => {
    const disk = bytesIn(world.dataDir);
    return canaries.filter((canary) => disk.includes(canary));
  };
  expect(left()).toEqual(canaries);

  await world.post(`${manage}/remove`);
  await world.tick();

  // The address names the alert for ever, so that a printed poster leads to "gone" and not to another animal.
  expect(left()).toEqual(["canary-name"]);
  expect((await world.fetch(alert.photos[0])).status).toBe(404);
  expect(readdirSync(join(world.dataDir, "photos"))).toEqual([]);
  await world.end();
});

const ANNA = "canary-anna@example.org";
const BEN = "ben@example.org";
/** What Anna is and wrote, and what was written to her. */
const CANARIES = [
  "canary-anna",
  "canary-description",
  "canary-label",
  "canary-to-anna",
  "canary-to-ben",
  "canary-sender",
  "canary-draft",
];

/** Anna publishes, watches, writes to Ben, gets a message from him, and has something waiting. */
async function live(world: World) {
  const hers = await world.publish({ email: ANNA, description: "canary-description" });
  const his = await world.publish({ email: BEN, lat: 48.85, lng: 2.35 });
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, label: "canary-label", email: ANNA });
  await world.confirm(ANNA);
  await world.tool("send_message", { alert: hers.id, message: "canary-to-anna", email: BEN });
  await world.confirm(BEN);
  const message = { message: "canary-to-ben", name: "canary-sender", email: ANNA };
  await world.tool("send_message", { alert: his.id, ...message });
  await world.confirm(ANNA);
  const { email, ...cat } = { ...LOST_CAT, email: ANNA };
  await world.tool("publish_alert", { ...cat, email, description: "canary-draft" });
  await world.tick();
  return { hers, his };
}

async function erase(world: World, email = ANNA): Promise<void> {
  await world.post("/erase", { email });
  expect((await world.post(await world.linkTo(email, "/erase/"))).status).toBe(303);
}

const left = (folder: string) => {
  const disk = bytesIn(folder);
  return CANARIES.filter((canary) => disk.includes(canary));
};

describe("after a person erased everything", () => {
  let world: World;
  const folders: string[] = [];
  afterEach(async () => {
    await world.end();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** Copies the data folder; gives the copy. */
  async function copied(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "pet-alert-copy-"));
    folders.push(folder);
    await backUp(world.dataDir, join(folder, "backup"));
    return join(folder, "backup");
  }

  /** Puts a copy in place of the data folder's state, as the command does, and opens it. */
  async function putBack(copy: string): Promise<void> {
    await world.app.stop();
    const aside = restore(world.dataDir, copy, { asideName: "replaced" });
    if (aside !== null) rmSync(aside, { recursive: true });
    await world.restart();
  }

  const aliveOf = async () =>
    (await world.json("/api/v1/alerts")).alerts.map((alert: any) => alert.id);

  test("no byte of it is left in the data folder, and what others have stays", async () => {
    world = await createWorld();
    const { his } = await live(world);
    expect(left(world.dataDir)).toEqual(CANARIES);

    await erase(world);

    expect(left(world.dataDir)).toEqual([]);
    expect(bytesIn(world.dataDir)).toContain(BEN);
    expect(await aliveOf()).toEqual([his.id]);
  });

  test("a backup from before does not bring it back, not a byte of it", async () => {
    world = await createWorld();
    const { hers, his } = await live(world);
    const copy = await copied();
    expect(left(copy)).toEqual(CANARIES);
    await erase(world);

    await putBack(copy);

    expect(world.logged.join()).toContain("erased_again");
    expect(await aliveOf()).toEqual([his.id]);
    expect((await world.fetch(`/api/v1/alerts/${hers.id}`)).status).toBe(410);
    expect(left(world.dataDir)).toEqual([]);
    expect((await world.app.service.state()).zones).toBe(0);
    const mails = world.sentMail.length;
    await world.publish({ type: "found", email: "finder@example.org" });
    await world.pass(3 * DAY);
    expect(world.sentMail.slice(mails).map(({ envelope }) => envelope.to)).not.toContain(ANNA);
  });

  test("a later backup takes the list to another machine, where an older one brings nothing back", async () => {
    world = await createWorld();
    await live(world);
    const before = await copied();
    await erase(world);
    const after = await copied();
    await world.end();

    world = await createWorld();
    await putBack(after);
    await putBack(before);

    expect(left(world.dataDir)).toEqual([]);
  });

  test("people who come back later keep what is newer", async () => {
    world = await createWorld({ LIMIT_PUBLISH: "off" });
    const { his } = await live(world);
    await erase(world);
    world.jump(DAY);
    const newer = await world.publish({ email: ANNA, name: "Minou" });
    const copy = await copied();
    await erase(world, BEN);

    await putBack(copy);

    expect(await aliveOf()).toEqual([newer.id]);
    expect((await world.fetch(`/api/v1/alerts/${his.id}`)).status).toBe(410);
  });

  describe("while the clock was ahead", () => {
    /** Anna erases everything, the clock is put right, and she comes back. */
    async function comeBack(): Promise<string> {
      world = await createWorld({ LIMIT_PUBLISH: "off" });
      await world.publish({ email: ANNA });
      world.jump(100 * DAY);
      await world.tick();
      await erase(world);
      world.jump(-100 * DAY);
      const { id } = await world.publish({ email: ANNA, name: "Minou" });
      await world.tool("subscribe_zone", { lat: 1, lng: 1, email: ANNA });
      await world.confirm(ANNA);
      return id;
    }

    test("keeps what is newer when a backup from after that is put back", async () => {
      const newer = await comeBack();
      const copy = await copied();
      await world.publish({ email: BEN });
      await erase(world, BEN);

      await putBack(copy);

      expect(await aliveOf()).toEqual([newer]);
      expect((await world.app.service.state()).zones).toBe(1);
    });

    test("also keeps it when another person's erasure was cut short", async () => {
      const newer = await comeBack();
      const mark = world.app.secrets.keyedHash("tombstone", `mailbox ${BEN}`);
      await world.app.stop();
      const line = `${new Date(world.now()).toISOString()} mailbox ${mark}\n`;
      appendFileSync(join(world.dataDir, TOMBSTONES_FILE), line);

      await world.restart();

      expect(await aliveOf()).toEqual([newer]);
      expect((await world.app.service.state()).zones).toBe(1);
    });
  });

  test("an alert that its owner removed, or a zone that was ended, does not come back either", async () => {
    world = await createWorld();
    const { hers, his } = await live(world);
    const copy = await copied();
    await world.post(`${await world.linkTo(ANNA, "/manage/")}/remove`);
    const [zone] = (await world.app.store.activeZones(null, 10)).map(({ id }) => id);
    await world.app.store.endZone(zone ?? "", world.now());

    await putBack(copy);

    expect(await aliveOf()).toEqual([his.id]);
    expect((await world.fetch(`/api/v1/alerts/${hers.id}`)).status).toBe(410);
    expect((await world.app.service.state()).zones).toBe(0);
  });

  test("what was written down before the power went is carried out at the next start", async () => {
    world = await createWorld();
    const { his } = await live(world);
    const mark = world.app.secrets.keyedHash("tombstone", `mailbox ${ANNA}`);
    await world.app.stop();
    const line = `${new Date(world.now()).toISOString()} mailbox ${mark}\n`;
    appendFileSync(join(world.dataDir, TOMBSTONES_FILE), line);

    await world.restart();

    expect(await aliveOf()).toEqual([his.id]);
    expect(left(world.dataDir)).toEqual([]);
  });
});
