import { expect, test } from "bun:test";
import { exifCoordinate, jpeg } from "./support/picture.ts";
import { createWorld, form, json, linkIn, upload } from "./support/world.ts";
import { HOUR } from "./support/time.ts";

// Canaries: values that must come out nowhere but in emails to the person they belong to.
const OWNER = "canary-owner@owner-domain.example";
const STRANGER = "canary-stranger@stranger-domain.example";
const SUBSCRIBER = "canary-subscriber@zone-domain.example";
const EXACT = { lat: 45.774_123_456, lng: 4.832_198_765 };
const CHIP = "250269812345678";
const PHONE = "06 12 34 56 78";
const CANARIES = [
  "canary-owner",
  "owner-domain",
  "canary-stranger",
  "stranger-domain",
  "canary-subscriber",
  "zone-domain",
  "45.774",
  "4.8321",
  "4.8322",
  CHIP,
  "12 34 56",
  "canary-asker-word",
];

test("no response, email or log reveals anything hidden, whatever is requested", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const answers: string[] = [];
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await world.fetch(path, init);
    answers.push(`${path} ${JSON.stringify([...answer.headers])} ${await answer.text()}`);
  };
  const tool = async (name: string, args: object) => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    await ask("/api/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(call),
    });
    return JSON.parse(answers.at(-1)?.slice(answers.at(-1)?.indexOf('{"result"') ?? 0) ?? "{}");
  };

  // A life in full: subscribed, published with everything hidden that there is, found, written to, answered, resolved.
  await tool("subscribe_zone", { ...EXACT, email: SUBSCRIBER, label: "canary-asker-word" });
  await world.confirm(SUBSCRIBER);
  const about = {
    type: "lost",
    species: "cat",
    color: "grey",
    name: "Mimi",
    ...EXACT,
    email: OWNER,
    microchip: CHIP,
  };
  const { result } = await tool("publish_alert", {
    ...about,
    description: `Shy. Call ${PHONE} or ${OWNER}, last seen at 45.774123, 4.832198.`,
  });
  const { slug, id, short_code: code } = result.structuredContent;
  await world.confirm(OWNER);
  await tool("send_message", {
    alert: slug,
    message: `Seen. ${PHONE} ${STRANGER}`,
    email: STRANGER,
    name: "Ana",
  });
  await world.confirm(STRANGER);
  const conversation = linkIn((await world.emails(OWNER)).at(-1), "/conversation/");
  await world.fetch(conversation, { method: "POST", ...form({ message: `Thanks, ${OWNER}` }) });
  await world.pass(2 * HOUR);

  const doors = [
    "/",
    "/about",
    "/imprint",
    "/privacy",
    "/terms",
    "/.well-known/security.txt",
    "/api/v1/alerts",
    "/api/v1/alerts?lat=45.77&lng=4.83&radius_km=5",
    "/api/v1/alerts.geojson",
    "/feed.atom",
    "/embed",
    "/api/openapi.json",
    "/api/docs",
    `/api/v1/alerts/${id}`,
    `/alerts/${slug}`,
    `/alerts/${slug}/contact`,
    `/a/${code}`,
    `/api/qr/${code}`,
    "/llms.txt",
    "/api/mcp/server-card",
    "/healthz",
    "/readyz",
    "/nothing",
  ];
  for (const door of doors) await ask(door);
  await tool("search_alerts", { lat: 45.77, lng: 4.83 });
  await tool("get_alert", { alert: slug });
  await ask(conversation);
  const toStranger = linkIn((await world.emails(STRANGER)).at(-1), "/conversation/");
  await ask(toStranger);

  expect(answers.filter((answer) => answer.includes("Mimi")).length).toBeGreaterThan(5);
  for (const answer of answers) for (const canary of CANARIES) expect(answer).not.toContain(canary);
  for (const line of world.logged)
    for (const canary of CANARIES) expect(line).not.toContain(canary);

  // Emails hold the reader's own address and no other's, no exact point, and a confirmation email no word of the asker's.
  const own: Record<string, string[]> = {
    [OWNER]: ["canary-owner", "owner-domain"],
    [STRANGER]: ["canary-stranger", "stranger-domain"],
    [SUBSCRIBER]: ["canary-subscriber", "zone-domain"],
  };
  for (const { mail, envelope, raw } of world.sentMail) {
    const whole = `${new TextDecoder().decode(raw)} ${mail.subject} ${mail.text} ${mail.html}`;
    const isConfirmation = mail.text.includes("/confirm/");
    const foreign = CANARIES.filter(
      (canary) =>
        !own[envelope.to]?.includes(canary) && (isConfirmation || canary !== "canary-asker-word"),
    );
    for (const canary of foreign) expect(whole).not.toContain(canary);
    if (isConfirmation) expect(whole).not.toContain("Mimi");
  }
  expect(world.sentMail.length).toBeGreaterThanOrEqual(7);

  // On disk: the exact point, the chip number and usable tokens were never written.
  const token = /\/conversation\/(\S+)/.exec(conversation)?.[1] ?? "";
  const disk = world.storedBytes();
  for (const canary of ["45.774", "4.8321", CHIP, token, "12 34 56"])
    expect(disk).not.toContain(canary);
  expect(disk).toContain("Mimi");
  await world.end();
});

test("of a form's pin, photo and chip number nothing exact is kept, shown or sent", async () => {
  const world = await createWorld();
  const fields = {
    type: "lost",
    species: "cat",
    color: "grey",
    name: "Mimi",
    lat: String(EXACT.lat),
    lng: String(EXACT.lng),
    microchip: CHIP,
    email: OWNER,
  };
  const photo = await jpeg({ width: 64, height: 48, gps: EXACT });
  const elsewhere = { lat: "48.856612", lng: "2.352221" };
  const pages: string[] = [];
  const send = async (path: string, given: Record<string, string>, photos: Uint8Array[] = []) => {
    const answer = await world.fetch(path, { method: "POST", ...upload(given, photos) });
    const next = answer.headers.get("Location");
    pages.push(next === null ? await answer.text() : await (await world.fetch(next)).text());
  };

  await send("/publish", fields, [photo]);
  const confirm = linkIn((await world.emails(OWNER)).at(-1), "/confirm/");
  pages.push(await (await world.fetch(confirm)).text());
  await send(confirm, {});
  const manage = linkIn((await world.emails(OWNER)).at(-1), "/manage/");
  pages.push(await (await world.fetch(`${manage}/edit`)).text());
  const [name = ""] = /(?<=name="photo" value=")[^"]+/.exec(pages.at(-1) ?? "") ?? [];
  await send(`${manage}/edit`, { edited: "1", color: "grey", photo: name, ...elsewhere });
  const alert = (await world.json("/api/v1/alerts")).alerts[0];
  pages.push(JSON.stringify(alert));
  const shown = await (await world.fetch(alert.photos[0])).bytes();

  expect(alert).toMatchObject({ latitude: 48.86, longitude: 2.35, city: "Paris" });
  const exact = ["45.774", "4.8321", "4.8322", "48.8566", "2.3522", CHIP];
  const mails = world.sentMail.map(({ raw }) => new TextDecoder().decode(raw));
  for (const place of [...pages, ...mails, ...world.logged, world.storedBytes()])
    for (const canary of exact) expect(place).not.toContain(canary);
  for (const file of [Buffer.from(shown), Buffer.from(world.storedBytes(), "latin1")])
    for (const trace of [exifCoordinate(EXACT.lat), exifCoordinate(EXACT.lng)])
      expect(file.includes(trace)).toBe(false);
  expect(Buffer.from(photo).includes(exifCoordinate(EXACT.lat))).toBe(true);
  await world.end();
});

test("the core itself puts sightings and zones on the public grid, and reads phone numbers as where an alert lies", async () => {
  const world = await createWorld();
  const { requests } = world.app.service;
  const caller = { address: "198.51.100.7" };
  const alert = await world.publish();
  const inCopenhagen = { lat: 55.68, lng: 12.57, country_code: "US", email: OWNER };
  const abroad = await world.publish({ ...inCopenhagen, description: "Shy. 20 62 96 73" });
  const passer = { ...EXACT, email: STRANGER };
  const { sighting } = await requests.reportSighting({ ...passer, alert: alert.slug }, caller);
  await requests.subscribe({ ...EXACT, email: SUBSCRIBER }, caller);
  await world.confirm(SUBSCRIBER);
  const [zone] = await world.app.store.activeZones(null, 1);

  expect([sighting.lat, sighting.lng]).toEqual([45.77, 4.83]);
  expect(zone?.point).toEqual({ lat: 45.77, lng: 4.83 });
  expect(abroad).toMatchObject({ country_code: "US", description: "Shy. [removed]" });
  await world.end();
});

test("capped, stopped and unknown addresses are answered alike", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off" });
  const subscribe = (lat: number, email: string) =>
    world.tool("subscribe_zone", { lat, lng: 1, email });
  const fresh = await subscribe(0, "fresh@example.org");
  const answers = [];
  for (let lat = 0; lat < 8; lat++) answers.push(await subscribe(lat, "flooded@example.org"));
  await world.fetch(
    linkIn((await world.emails("stopped@example.org"))[0] ?? (await firstEmail(world)), "/not-me"),
    { method: "POST", ...form({}) },
  );
  const stopped = await subscribe(40, "stopped@example.org");

  // Each circle lies elsewhere, so that no request repeats another.
  const shape = ({ area: _area, notes: _notes, ...answer }: Record<string, unknown>) =>
    JSON.stringify(answer).replaceAll(String(answer["sent_to"]), "masked");
  for (const answer of [...answers, stopped]) expect(shape(answer)).toBe(shape(fresh));
  expect(await world.emails("flooded@example.org")).toHaveLength(3);
  expect(await world.emails("stopped@example.org")).toHaveLength(1);
  await world.end();

  async function firstEmail(inWorld: typeof world) {
    await subscribe(39, "stopped@example.org");
    return (await inWorld.emails("stopped@example.org"))[0];
  }
});

test("100 writes from 100 networks to one mailbox, however it is spelt, send four emails while none is answered", async () => {
  const world = await createWorld();
  const spellings = [
    "victim@gmail.com",
    "v.i.c.t.i.m@gmail.com",
    "victim+tag@gmail.com",
    "VICTIM@googlemail.com",
  ];
  for (let number = 0; number < 100; number++) {
    const args = { lat: 10 + number / 10, lng: 1, email: spellings[number % spellings.length] };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "subscribe_zone", arguments: args },
    });
    const answer = await world.fetch(
      "/api/mcp",
      { method: "POST", headers: { "Content-Type": "application/json" }, body },
      `10.${number >> 8}.${number & 255}.7`,
    );
    expect((await json(answer)).result.isError).toBeUndefined();
  }
  await world.tick();

  expect(world.sentMail.length).toBe(4);
  await world.end();
}, 600_000);
