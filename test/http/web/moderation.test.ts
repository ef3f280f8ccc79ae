import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { moderate, MOD, MODERATED, report, SECOND, signIn } from "../../support/moderators.ts";
import { MINUTE } from "../../support/time.ts";
import { createWorld, FINDER, form, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(MODERATED);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("without moderators", () => {
  test("there is nothing to sign in to", async () => {
    const quiet = await createWorld();
    const send = async (path: string, init: RequestInit) => (await quiet.fetch(path, init)).status;

    for (const path of [
      "/admin",
      "/admin/enter/x",
      "/admin/alerts/x/block",
      `/admin/photos/${"0".repeat(32)}.webp`,
    ])
      expect([path, await send(path, {})]).toEqual([path, 404]);
    for (const path of [
      "/admin/sign-in",
      "/admin/enter/x",
      "/admin/sign-out",
      "/admin/alerts/x/hide",
      "/admin/alerts/x/remove",
    ])
      expect([path, await send(path, { method: "POST", ...form({ email: MOD }) })]).toEqual([
        path,
        404,
      ]);
    await quiet.end();
  });

  test("nothing can be reported, since nobody would read it", async () => {
    const quiet = await createWorld();
    const { slug } = await quiet.publish();

    const page = await (await quiet.fetch(`/alerts/${slug}`)).text();
    const moderated = await world.publish();
    const other = await (await world.fetch(`/alerts/${moderated.slug}`)).text();

    expect(page).not.toContain(`/alerts/${slug}/report`);
    expect(other).toContain(`/alerts/${moderated.slug}/report`);
    expect((await quiet.fetch(`/alerts/${slug}/report`)).status).toBe(404);
    const sent = { method: "POST", ...form({ reason: "scam" }) };
    expect((await quiet.fetch(`/alerts/${slug}/report`, sent)).status).toBe(404);
    await quiet.end();
  });
});

describe("what moderators do", () => {
  test("needs a session, and no other site can have it done", async () => {
    const alert = await world.publish();
    const session = await signIn(world);
    await report(world, alert);

    for (const what of ["hide", "remove", "block", "dismiss"]) {
      for (const cookie of [{}, { Cookie: "moderator=x" }])
        expect((await world.post(`/admin/alerts/${alert.id}/${what}`, {}, cookie)).status).toBe(
          403,
        );
      // A sibling of our own subdomain is another site, too: its forms come with the session.
      for (const site of ["cross-site", "same-site"]) {
        const across = { ...session, "Sec-Fetch-Site": site };
        expect((await world.post(`/admin/alerts/${alert.id}/${what}`, {}, across)).status).toBe(
          403,
        );
      }
      // Looking does nothing either.
      await world.fetch(`/admin/alerts/${alert.id}/${what}`, { headers: session });
    }

    const picture = `/admin/photos/${"0".repeat(32)}-480.webp`;
    expect((await world.fetch(picture)).status).toBe(403);
    expect((await world.fetch(picture, { headers: session })).status).toBe(404);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect(await world.text("/admin", session)).toContain("It’s a scam");
    expect(await world.text(`/admin/alerts/${alert.id}/remove`)).not.toContain(alert.short_code);
  });

  test("is written down with who did it, newest first", async () => {
    const alert = await world.publish();
    const [first, second] = [await signIn(world), await signIn(world, SECOND)];

    const hidden = await moderate(world, first, alert, "hide");
    world.jump(MINUTE);
    await moderate(world, second, alert, "restore");
    const page = await world.text("/admin", first);

    expect([hidden.status, hidden.headers.get("Location")]).toEqual([303, "/admin?done=hide"]);
    expect(page.replace(/\s+/g, " ")).toMatch(
      new RegExp(
        `08:01 UTC: ${SECOND}, restored, ${alert.short_code}.*08:00 UTC: ${MOD}, hidden, ${alert.short_code}`,
      ),
    );
  });
});

describe("a hidden alert", () => {
  const CHIP = { microchip: "276098106234567" };

  test("is nowhere to be found, and all is as before when it is restored", async () => {
    const alert = await world.publish({ ...CHIP });
    const twin = await world.publish({ type: "found", email: "f@example.org", ...CHIP });
    const session = await signIn(world);
    const listed = async () => {
      const { alerts } = await world.json("/api/v1/alerts?q=mimi");
      const near = await world.json("/api/v1/alerts?lat=45.77&lng=4.83&radius_km=5");
      const tool = await world.tool("search_alerts", { query: "mimi" });
      const { matches } = await world.json(`/api/v1/alerts/${twin.id}/matches`);
      const ids = [...alerts, ...near.alerts, ...(tool["alerts"] as { id: string }[])];
      const home = await world.text("/");
      return {
        found: ids.filter(({ id }) => id === alert.id).length,
        matched: matches.length,
        shown: home.includes(new URL(alert.url).pathname),
      };
    };
    const direct = [
      alert.url,
      alert.contact_url,
      `${alert.url}/report`,
      `/a/${alert.short_code}`,
      `/api/v1/alerts/${alert.id}`,
      `/api/v1/alerts/${alert.short_code}`,
      `/api/v1/alerts/${alert.id}/matches`,
    ];
    const statuses = async () =>
      Promise.all(direct.map(async (path) => (await world.fetch(path)).status));
    const before = { listed: await listed(), statuses: await statuses() };

    await moderate(world, session, alert, "hide");

    expect(before.listed).toEqual({ found: 3, matched: 1, shown: true });
    expect(await listed()).toEqual({ found: 0, matched: 0, shown: false });
    expect(new Set(await statuses())).toEqual(new Set([410]));
    await expect(world.tool("get_alert", { alert: alert.id })).rejects.toThrow("removed");
    const write = { alert: alert.id, message: "hello", email: FINDER };
    await expect(world.tool("send_message", write)).rejects.toThrow("removed");
    expect((await report(world, alert)).status).toBe(410);
    expect(await world.text("/admin", session)).toMatch(/Hidden: only its owner.*Restore/s);

    await world.restart();
    expect((await listed()).found).toBe(0);
    await moderate(world, session, alert, "restore");
    expect({ listed: await listed(), statuses: await statuses() }).toEqual(before);
  });

  test("is seen by its owner, who can only remove it", async () => {
    const alert = await world.publish();
    const manage = await world.linkTo(LOST_CAT.email, "/manage/");
    const session = await signIn(world);

    await moderate(world, session, alert, "hide");
    const token = new URL(manage).pathname.slice("/manage/".length);
    const managed = await world.app.service.owners.managedAlert(token);

    expect(managed).toMatchObject({ hidden: true, actions: ["remove"] });
    expect(managed.alert.name).toBe("Mimi");
    for (const move of ["resolve", "renew", "reopen", "edit"])
      expect((await world.post(`${manage}/${move}`)).status).toBe(409);
    expect((await world.post(`${manage}/remove`)).status).toBe(303);
    expect(await world.text("/admin", session)).toContain("No hidden alerts.");
  });
});

describe("blocking an address", () => {
  test("hides its alerts and stops its emails, and its askers are answered as ever", async () => {
    const alert = await world.publish();
    const other = await world.publish({ name: "Rex", email: "owner+dogs@example.org" });
    const session = await signIn(world);
    const emails = async (to: string) => (await world.emails(to)).length;
    const before = await emails(LOST_CAT.email);
    const known = await world.tool("publish_alert", { ...LOST_CAT, name: "New", email: FINDER });

    const question = await world.text(`/admin/alerts/${alert.id}/block`, session);
    await moderate(world, session, alert, "block");
    const again = await world.tool("publish_alert", { ...LOST_CAT, name: "New" });

    expect(question).toContain("Block the publisher’s address?");
    expect(question).not.toContain(LOST_CAT.email);
    for (const { url } of [alert, other]) expect((await world.fetch(url)).status).toBe(410);
    expect(Object.keys(again)).toEqual(Object.keys(known));
    expect(await emails(LOST_CAT.email)).toBe(before);
    expect(await world.text("/admin", session)).not.toContain(LOST_CAT.email);

    await moderate(world, session, alert, "restore");
    await world.tool("publish_alert", { ...LOST_CAT, name: "Newer" });
    expect(await emails(LOST_CAT.email)).toBe(before + 1);
  });
});
