import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CAPS } from "../../../src/core/caps.ts";
import { MOD, MODERATED, SECOND, signIn, signInLink } from "../../support/moderators.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, form, linkIn, type World } from "../../support/world.ts";

let world: World;
let settings: Record<string, string>;
beforeEach(async () => {
  settings = { ...MODERATED };
  world = await createWorld(settings);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("signing in", () => {
  test("answers alike whoever asks, and writes to moderators only", async () => {
    const answers = [];
    for (const email of [MOD, "meg@example.org", "MOD@EXAMPLE.org"]) {
      const answer = await world.press("/admin/sign-in", { email });
      const { status } = answer;
      answers.push({
        status,
        page: (await answer.text()).replaceAll("M…", "m…").replaceAll("=M", "=m"),
      });
    }

    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.page).toContain("m…@e…");
    expect(await world.emails(MOD)).toHaveLength(2);
    expect(await world.emails("meg@example.org")).toEqual([]);
  });

  test("is kept from no moderator by strangers who use up the emails of the day", async () => {
    const ask = async (from: string) => {
      await world.post("/admin/sign-in", { email: MOD }, {}, from);
      return (await world.emails(MOD)).length;
    };
    const perDay = CAPS.linkEmailsPerMailbox.max;
    for (let at = 0; at < 9; at++) await ask("203.0.113.9");
    expect(await ask("203.0.113.200")).toBe(perDay);

    // A network that has asked for none gets one.
    expect(await ask("198.51.100.7")).toBe(perDay + 1);
    expect(await ask("198.51.100.8")).toBe(perDay + 1);

    // Where dozens of networks ask, the links of the day still work.
    for (let nth = 0; nth < 30; nth++) await ask(`192.0.${nth}.1`);
    const emails = await world.emails(MOD);
    expect(emails).toHaveLength(CAPS.linkEmailsPerMailboxInAll.max);
    await world.pass(DAY - HOUR, HOUR);
    expect(await ask("198.51.99.7")).toBe(emails.length);
    for (const email of emails) {
      const entered = await world.post(linkIn(email, "/admin/enter/"));
      expect(entered.status).toBe(303);
    }
    await world.pass(HOUR);
    expect(await ask("198.51.99.7")).toBe(emails.length + 1);
  });

  test("is kept from no moderator by whoever asks under other ways to write their mailbox", async () => {
    const [name, domain] = MOD.split("@");
    for (const tag of ["a", "b", "c", "d"])
      await world.post("/admin/sign-in", { email: `${name}+${tag}@${domain}` });
    await world.tick();

    await world.post("/admin/sign-in", { email: MOD });

    expect(await world.emails(MOD)).toHaveLength(1);
  });

  test("is refused to a caller who asks more than ten times an hour, for any address", async () => {
    for (let at = 0; at < 10; at++)
      await world.post("/admin/sign-in", { email: `a${at}@example.org` });

    for (const email of [MOD, "nobody@example.org"]) {
      const refused = await world.post("/admin/sign-in", { email });
      expect([refused.status, Number(refused.headers.get("Retry-After"))]).toEqual([429, 3600]);
    }
    expect(await world.emails(MOD)).toEqual([]);
  });
});

describe("the link by e-mail", () => {
  test("shows a button, uses nothing up by being looked at, and opens one session", async () => {
    const link = await signInLink(world);
    for (const method of ["GET", "HEAD", "OPTIONS"]) await world.fetch(link, { method });

    const [first, ...others] = await Promise.all(
      [world.post(link), world.post(link), world.post(link)].map((one) => one),
    );
    const answers = [first, ...others].filter((one) => one !== undefined);

    expect(await world.text(link)).toContain('method="post"');
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404]);
    const refused = answers.find(({ status }) => status === 404);
    expect(refused?.headers.get("Set-Cookie")).toBeNull();
    expect(await refused?.text()).toContain("This link has already been used");
  });

  test("sets a cookie that only these pages get, no script reads and no other site sends", async () => {
    const answer = await world.post(await signInLink(world));

    expect(answer.headers.get("Location")).toBe("/admin");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^moderator=[\w-]{43}; Max-Age=36000; Path=\/admin; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test("sets one that goes over encrypted connections only, where the service has them", async () => {
    const BASE_URL = "https://pets.example.org";
    const secure = await createWorld({ ...settings, BASE_URL });
    await secure.fetch("/admin/sign-in", { method: "POST", ...form({ email: MOD }) });
    const link = linkIn((await secure.emails(MOD))[0], "/admin/enter/");

    const answer = await secure.fetch(link, { method: "POST", ...form({}) });

    expect(link).toStartWith(BASE_URL);
    expect(answer.headers.get("Set-Cookie")).toEndWith("; HttpOnly; Secure; SameSite=Strict");
    await secure.end();
  });

  test("opens nothing any more for who moderates no more, nor after signing out", async () => {
    const [first, second] = [await signIn(world), await signIn(world, SECOND)];
    expect(await world.text("/admin", second)).toContain("Signed in as second@example.org");

    settings["ADMIN_EMAILS"] = MOD;
    await world.restart();
    expect(await world.text("/admin", second)).toContain("Please sign in again.");
    expect(await world.text("/admin", first)).toContain("Signed in as mod@example.org");

    const out = await world.post("/admin/sign-out", {}, first);
    expect([out.status, out.headers.get("Location")]).toEqual([303, "/admin"]);
    expect(await world.text("/admin", first)).toContain("Please sign in again.");
  });
});
