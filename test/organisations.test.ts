import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FINDER, LOST_CAT, createWorld, type World } from "./support/world.ts";
import { HAPPY_PAWS, HOURS, nameShelter, PHONE, SHELTER, STREET } from "./support/organisations.ts";
import { jpeg } from "./support/picture.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const FOUND = { type: "found", species: "dog", name: undefined, color: "black", email: SHELTER };
const NAMED = { name: "Happy Paws", url: "http://localhost:3000/organisations/happy-paws" };

describe("an alert with the address of an organisation", () => {
  test("carries its name and page, whether it was named before or after", async () => {
    const before = await world.publish(FOUND);
    expect(before.organisation).toBeNull();
    await nameShelter(world);
    const after = await world.publish({ ...FOUND, color: "white" });

    const again = await world.json(`/api/v1/alerts/${before.slug}`);
    for (const alert of [again, after]) {
      expect(alert.organisation).toEqual(NAMED);
    }
    const { alert } = (await world.tool("get_alert", { alert: before.slug })) as any;
    expect(alert.organisation).toEqual(NAMED);
    const [listed] = (await world.json("/api/v1/alerts?limit=1")).alerts;
    expect(listed.organisation).toEqual(NAMED);
  });

  test("says on its page and poster how to reach it", async () => {
    await nameShelter(world);
    const { slug } = await world.publish(FOUND);

    for (const path of [`/alerts/${slug}`, `/alerts/${slug}/poster`]) {
      const page = (await world.text(path)).replaceAll("\u00a0", " ");
      for (const part of ["Happy Paws", PHONE, STREET, HOURS]) expect(page).toContain(part);
    }
    const page = await world.text(`/alerts/${slug}`);
    expect(page).toContain('href="/organisations/happy-paws"');
    expect(page).toContain('href="tel:+33478001122"');
    expect(page).toContain('href="https://paws.example.org/visit"');
  });

  test("never says so in JSON, tools, feeds, lists or embedded lists", async () => {
    await nameShelter(world);
    const { slug, id } = await world.publish(FOUND);
    const filter = "organisation=happy-paws";

    const answers = await Promise.all([
      ...[
        `/api/v1/alerts?${filter}`,
        `/api/v1/alerts/${slug}`,
        `/api/v1/alerts/${slug}/matches`,
        `/api/v1/alerts.geojson?${filter}`,
        `/feed.atom?${filter}`,
        `/embed?${filter}`,
        `/?${filter}&view=list`,
        `/map/alerts.json?${filter}`,
        "/api/openapi.json",
      ].map((path) => world.text(path)),
      world.tool("get_alert", { alert: id }).then((answer) => JSON.stringify(answer)),
      world
        .tool("search_alerts", { organisation: "happy-paws", detail: "full" })
        .then((answer) => JSON.stringify(answer)),
    ]);

    expect(answers.filter((answer) => answer.includes("happy-paws")).length).toBeGreaterThan(5);
    for (const answer of answers.map((one) => one.replaceAll("\u00a0", " ")))
      for (const part of [PHONE, "78001122", STREET, HOURS, SHELTER])
        expect(answer).not.toContain(part);
  });

  test("is found by the filter, which finds nothing else", async () => {
    await nameShelter(world);
    await nameShelter(world, { slug: "happy-pawsome", email: "other@example.org", members: [] });
    const its = await world.publish(FOUND);
    await world.publish({ ...FOUND, email: "other@example.org" });
    await world.publish();
    const idsAt = async (path: string) =>
      (await world.json(path)).alerts.map(({ id }: { id: string }) => id);

    expect(await idsAt("/api/v1/alerts?organisation=happy-paws")).toEqual([its.id]);
    expect(await idsAt("/api/v1/alerts?organisation=happy-paws&species=cat")).toEqual([]);
    const near = "lat=45.77&lng=4.83&radius_km=50";
    expect(await idsAt(`/api/v1/alerts?organisation=happy-paws&sort=nearest&${near}`)).toEqual([
      its.id,
    ]);
    expect(await idsAt("/api/v1/alerts?organisation=nobody")).toEqual([]);
    expect((await world.fetch("/api/v1/alerts?organisation=Happy%20Paws")).status).toBe(400);
    const { features } = await world.json("/api/v1/alerts.geojson?organisation=happy-paws");
    expect(features).toHaveLength(1);
    const found = await world.tool("search_alerts", { organisation: "happy-paws" });
    expect(found["total"]).toBe(1);
    expect(await world.text("/embed?organisation=happy-paws")).toContain(its.slug);
    // No word finds it by its organisation.
    expect(await idsAt("/api/v1/alerts?q=happy")).toEqual([]);
  });

  test("is private again once the organisation is removed", async () => {
    const quiet = await world.publish(FOUND);
    const plain = (text: string) => text.replace(/"dateModified":"[^"]*"|v=[a-z0-9]+/g, "");
    const before = plain(await world.text(`/alerts/${quiet.slug}`));
    await nameShelter(world);
    expect(plain(await world.text(`/alerts/${quiet.slug}`))).not.toBe(before);

    await world.app.operator.removeOrganisation("happy-paws");

    expect(plain(await world.text(`/alerts/${quiet.slug}`))).toBe(before);
    const { organisation, updated_at } = await world.json(`/api/v1/alerts/${quiet.slug}`);
    expect(organisation).toBeNull();
    expect(updated_at >= quiet.updated_at).toBe(true);
    for (const slug of ["happy-paws", "Happy%20Paws", "%00", "x".repeat(200)])
      expect((await world.fetch(`/organisations/${slug}`)).status).toBe(404);
    expect((await world.json("/api/v1/alerts?organisation=happy-paws")).alerts).toEqual([]);
  });

  test("is not public before its mailbox has confirmed it, whoever asked for it", async () => {
    await nameShelter(world);
    const asked = await world.tool("publish_alert", { ...LOST_CAT, ...FOUND, name: "Fake" });
    expect((await world.fetch(`/api/v1/alerts/${asked["slug"]}`)).status).toBe(404);
    expect(await world.text("/organisations/happy-paws")).not.toContain("Fake");
    // A spelling that only a stranger's mail server would tell apart is another address.
    const other = await world.publish({ ...FOUND, email: `shelter+x@example.org` });
    expect(other.organisation).toBeNull();
    // Nor is the alert of a member with an address of their own the organisation's.
    const own = await world.publish({ ...LOST_CAT, email: "anna@example.org" });
    expect(own.organisation).toBeNull();
    expect(await world.text(`/alerts/${own.slug}`)).not.toContain("Happy Paws");
  });
});

describe("the page of an organisation", () => {
  test("shows how to reach it, its active alerts, its feed and the code for its own site", async () => {
    await nameShelter(world, {
      name: 'Happy "Paws" & <Co>',
      logo: Buffer.from(await jpeg({ width: 40, height: 40 })).toString("base64"),
    });
    const its = await world.publish(FOUND);
    const other = await world.publish();

    const page = (await world.text("/organisations/happy-paws")).replaceAll("\u00a0", " ");

    for (const part of [PHONE, STREET, HOURS, its.url.replace("http://localhost:3000", "")])
      expect(page).toContain(part);
    expect(page).not.toContain(other.slug);
    expect(page).not.toContain("<Co>");
    expect(page).toContain("/feed.atom?organisation=happy-paws");
    expect(page).toContain("/embed?organisation=happy-paws");
    const logo = /<img src="(\/photos\/[^"]+)"/.exec(page)?.[1];
    expect((await world.fetch(logo ?? "")).headers.get("Content-Type")).toBe("image/webp");
    const feed = await world.text("/feed.atom?organisation=happy-paws");
    expect(feed).toContain(its.slug);
    expect(feed).not.toContain(other.slug);
  });

  test("loses its address with an erasure of it, and members theirs", async () => {
    await nameShelter(world);
    const its = await world.publish(FOUND);
    const { erasePerson, organisations } = world.app.operator;

    expect(await erasePerson("anna@example.org")).toMatchObject({ memberships: 1 });
    expect(await erasePerson(SHELTER)).toMatchObject({ alerts: 1, memberships: 1 });

    expect((await world.fetch(`/api/v1/alerts/${its.slug}`)).status).toBe(410);
    const [left] = await organisations();
    expect(left).toMatchObject({ slug: "happy-paws", email: null });
    expect(left?.members.map(({ email }) => email)).toEqual(["ben@example.org"]);
    for (const address of [SHELTER, "anna@example.org"])
      expect(world.storedBytes()).not.toContain(address);
  });
});

describe("the operator", () => {
  test("changes what is given and leaves the rest", async () => {
    await nameShelter(world);
    const its = await world.publish(FOUND);
    const { saveOrganisation } = world.app.operator;

    await saveOrganisation({ slug: "happy-paws", name: "Paws", phone: "", isNew: false });

    const page = (await world.text(`/alerts/${its.slug}`)).replaceAll("\u00a0", " ");
    expect(page).toContain("Paws");
    expect(page).not.toContain(PHONE);
    expect(page).toContain(STREET);
    expect((await world.json(`/api/v1/alerts/${its.slug}`)).organisation.name).toBe("Paws");
  });

  test("is told in a sentence why an organisation cannot be saved", async () => {
    await nameShelter(world);
    const { saveOrganisation } = world.app.operator;
    const refusal = (about: object, isNew = true) =>
      saveOrganisation({ ...HAPPY_PAWS, ...about, isNew }).then(
        () => "saved",
        (error: Error) => error.message,
      );

    expect(await refusal({})).toContain("already an organisation");
    expect(await refusal({ slug: "x" }, false)).toBe('There is no organisation "x".');
    expect(await refusal({ slug: "x", members: [] })).toContain("already has the address");
    expect(await refusal({ slug: "x", email: FINDER, name: undefined })).toContain("needs a name");
  });
});
