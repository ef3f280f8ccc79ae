import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { converse, MOD, MODERATED, report, signIn } from "../../support/moderators.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(MODERATED);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("a report", () => {
  test("reaches moderators with the alert's whole text, grouped, the newest first", async () => {
    const alert = await world.publish({ description: "She is shy" });
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });
    const session = await signIn(world);

    const thanks = await report(world, alert, { reason: "not_true", text: "He has no cat" });
    world.jump(1);
    await report(world, other, { reason: "offensive" });
    world.jump(1);
    await report(world, alert, { reason: "scam", text: "He wants money" });
    const page = await world.text("/admin", session);

    expect([thanks.status, await thanks.text()]).toEqual([
      200,
      expect.stringContaining("A moderator will review it."),
    ]);
    expect(page).toMatch(
      /It’s a scam.*He wants money.*It’s not true.*He has no cat.*Mimi.*She is shy.*It’s offensive.*Rex/s,
    );
    expect(page).not.toContain(LOST_CAT.email);
  });

  test("is taken five times an hour from one caller; the same one again costs nothing", async () => {
    const alert = await world.publish();
    for (let at = 0; at < 5; at++) {
      for (const _ of ["first", "second"])
        expect((await report(world, alert, { reason: "other", text: `${at}` })).status).toBe(200);
    }

    const refused = await report(world, alert, { reason: "other", text: "six" });

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("six");
  });

  test("that cannot be is offered again as it was typed", async () => {
    const alert = await world.publish();
    const long = "so ".repeat(200);

    for (const fields of [{ reason: "", text: "why" }, { reason: "nonsense" }, { text: "why" }])
      expect((await report(world, alert, fields as Record<string, string>)).status).toBe(400);
    const page = await (await report(world, alert, { reason: "scam", text: long })).text();

    expect(page).toContain(long.trim());
    expect(page).toContain('<option value="scam" selected="">');
    expect((await world.fetch("/alerts/lost-cat-nobody-abc234/report")).status).toBe(404);
  });

  test("shows hostile text as text", async () => {
    const evil = `"><img src=x onerror=alert(1)></textarea></details><script>'\u202e`;
    const alert = await world.publish({
      name: evil.slice(0, 40),
      color: evil,
      description: evil,
      city: evil,
    });
    const { owner } = await converse(world, alert, evil);
    await report(world, alert, { reason: "other", text: evil });
    await world.post(`${owner}/report`, { reason: "scam", text: evil });
    const session = await signIn(world);

    const pages = [
      await world.text("/admin", session),
      await world.text(`/admin/alerts/${alert.id}/block`, session),
      await world.text(`/admin?done=${encodeURIComponent(evil)}`, session),
      await (await report(world, alert, { reason: evil, text: evil })).text(),
      await (await world.post("/admin/sign-in", { email: evil })).text(),
      await world.text(`/admin/enter/${encodeURIComponent(evil)}`),
    ];

    for (const page of pages.slice(0, 5)) expect(page).toContain("&gt;&lt;img");
    expect(pages[0]).not.toContain("\u202e");
    for (const page of pages) {
      expect(page).not.toMatch(
        /<img src=x|<script(?! type="module" src="\/scripts\/)|<\/textarea>&lt;img/i,
      );
      expect(page).not.toMatch(/\son\w+="|href="javascript:/i);
    }
  });
});

describe("a conversation", () => {
  test("is closed by either side, for both and for good", async () => {
    for (const closer of ["owner", "stranger"] as const) {
      const alert = await world.publish();
      const links = await converse(world, alert, `Hello from ${closer}`);
      const other = closer === "owner" ? links.stranger : links.owner;

      const question = await world.text(`${links[closer]}/close`);
      expect(await world.text(links[closer])).toContain('name="message"');
      const closed = await world.post(`${links[closer]}/close`);
      const again = await world.post(`${links[closer]}/close`);

      expect(question).toContain("Close this conversation?");
      expect([closed.status, again.status]).toEqual([303, 303]);
      for (const side of [links[closer], other]) {
        const page = await world.text(side);
        expect(page).toContain("This conversation was closed.");
        expect(page).not.toContain('name="message"');
        const refused = await world.post(side, { message: "One more thing" });
        expect(refused.status).toBe(409);
        expect(await refused.text()).toContain(
          "This conversation was closed. New messages are no longer possible",
        );
      }
      await world.pass(DAY);
    }
  });

  test("cannot be begun anew by the stranger of a closed one, who is told so on the page", async () => {
    const alert = await world.publish();
    const { owner } = await converse(world, alert);
    await world.post(`${owner}/close`);
    const before = (await world.emails(LOST_CAT.email)).length;

    const asked = await world.post(alert.contact_url, { email: FINDER, message: "Me again" });
    const pressed = await world.post(await world.linkTo(FINDER, "/confirm/"));
    const someone = await world.post(alert.contact_url, {
      email: "x@example.net",
      message: "Me too",
    });
    await world.confirm("x@example.net");

    // Asking tells nobody what another mailbox has done.
    expect(someone.status).toBe(asked.status);
    expect(pressed.status).toBe(409);
    expect(await pressed.text()).toContain("Your conversation about this alert was closed");
    expect(await world.emails(LOST_CAT.email)).toHaveLength(before + 1);
  });

  test("is read by moderators once a side reported it, without any address", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(world, alert, "I want gift cards");
    const session = await signIn(world);
    expect(await world.text("/admin", session)).not.toContain("gift cards");

    const before = await world.text(`${owner}/report`);
    const thanks = await world.press(`${owner}/report`, {
      reason: "scam",
      text: "He asks for money",
    });
    const desk = await world.text("/admin", session);

    expect(before).toContain("moderators can read every message in this conversation");
    expect(await world.text(owner)).toContain(`${new URL(owner).pathname}/report`);
    expect(thanks.status).toBe(200);
    expect(desk).toMatch(/He asks for money.*Jo<.*I want gift cards.*Publisher<.*Where\?/s);
    for (const address of [FINDER, LOST_CAT.email]) expect(desk).not.toContain(address);
    expect(await world.text(stranger)).not.toContain("He asks for money");
    expect((await world.post(`${owner}/report`, { reason: "" })).status).toBe(400);
    expect((await world.post("/conversation/unknown/report", { reason: "scam" })).status).toBe(404);
  });

  test("lets moderators block who wrote, and leaves the alert alone", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(world, alert);
    await world.post(`${owner}/report`, { reason: "scam" });
    const session = await signIn(world);
    const path =
      /href="(\/admin\/alerts\/[^"]+\/conversations\/[^"]+\/block)"/.exec(
        await world.text("/admin", session),
      )?.[1] ?? "";

    expect(await world.text(path, session)).toContain("Block the sender’s address?");
    expect((await world.post(path, {}, session)).status).toBe(303);

    const desk = await world.text("/admin", session);
    expect(desk).toContain(`${MOD}, sender blocked, ${alert.short_code}`);
    expect(desk).toContain("No open reports.");
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect((await world.post(stranger, { message: "Pay me" })).status).toBe(409);
    const emails = (await world.emails(FINDER)).length;
    await world.post(alert.contact_url, { email: FINDER, message: "Pay me again" });
    expect(await world.emails(FINDER)).toHaveLength(emails);
  });
});
