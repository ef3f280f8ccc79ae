import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { REPORT_KEEP_MS } from "../../src/core/report.ts";
import { createWorld, form, linkIn, LOST_CAT, type World } from "../support/world.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";

const MOD = "mod@example.org";
const SECOND = "second@example.org";
const FINDER = "finder@example.net";

let world: World;
let settings: Record<string, string>;
beforeEach(async () => {
  settings = { ADMIN_EMAILS: `${MOD}, ${SECOND}`, LIMIT_PUBLISH: "off" };
  world = await createWorld(settings);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

type Session = { readonly Cookie: string };

function post(path: string, fields: Record<string, string> = {}, headers: object = {}) {
  const { headers: own, body } = form(fields);
  return world.fetch(path, { method: "POST", headers: { ...own, ...headers }, body });
}

async function text(path: string, headers: object = {}): Promise<string> {
  return (await world.fetch(path, { headers: { ...headers } })).text();
}

async function linkTo(to: string, part: string): Promise<string> {
  const letters = await world.letters(to);
  return linkIn(
    letters.findLast((letter) => letter.text?.includes(part)),
    part,
  );
}

/** Asks for the way in, and gives its link. */
async function asked(email = MOD): Promise<string> {
  await post("/admin/sign-in", { email });
  return linkTo(email, "/admin/enter/");
}

async function signedIn(email = MOD): Promise<Session> {
  const answer = await post(await asked(email));
  return { Cookie: answer.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
}

function report(alert: { url: string }, fields: Record<string, string> = { reason: "scam" }) {
  return post(`${alert.url}/report`, fields);
}

function act(session: Session, alert: { id: string }, what: string) {
  return post(`/admin/alerts/${alert.id}/${what}`, {}, session);
}

/** A conversation about an alert; gives the links of both sides. */
async function converse(alert: { contact_url: string }, message = "She is here.") {
  await post(alert.contact_url, { name: "Jo", email: FINDER, message });
  await world.confirm(FINDER);
  const owner = await linkTo(LOST_CAT.email, "/conversation/");
  await post(owner, { message: "Where?" });
  return { owner, stranger: await linkTo(FINDER, "/conversation/") };
}

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

describe("signing in", () => {
  test("answers alike whoever asks, and writes to moderators only", async () => {
    const answers = [];
    for (const email of [MOD, "meg@example.org", "MOD@EXAMPLE.org"]) {
      const answer = await post("/admin/sign-in", { email });
      const { status } = answer;
      answers.push({ status, page: (await answer.text()).replace("M…", "m…") });
    }

    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.page).toContain("m…@e…");
    expect(await world.letters(MOD)).toHaveLength(2);
    expect(await world.letters("meg@example.org")).toEqual([]);
  });

  test("fills a mailbox with three letters an hour, and tells nobody that it is full", async () => {
    const pages = new Set<string>();
    for (let at = 0; at < 5; at++)
      pages.add(await (await post("/admin/sign-in", { email: MOD })).text());

    expect(pages.size).toBe(1);
    expect(await world.letters(MOD)).toHaveLength(3);
    await world.pass(HOUR);
    await post("/admin/sign-in", { email: MOD });
    expect(await world.letters(MOD)).toHaveLength(4);
  });

  test("is kept from no moderator by whoever asks under other ways to write their mailbox", async () => {
    const [name, domain] = MOD.split("@");
    for (const tag of ["a", "b", "c", "d"])
      await post("/admin/sign-in", { email: `${name}+${tag}@${domain}` });
    await world.tick();

    await post("/admin/sign-in", { email: MOD });

    expect(await world.letters(MOD)).toHaveLength(1);
  });

  test("by a link that somebody bent posts to that link and nowhere else", async () => {
    for (const bent of ["../alerts/x/remove", "/../../admin/sign-out", "x?y", "x#y"]) {
      const page = await text(`/admin/enter/${encodeURIComponent(bent)}`);
      expect(page).toContain(`action="/admin/enter/${encodeURIComponent(bent)}"`);
    }
  });

  test("is refused to a caller who asks more than ten times an hour, for any address", async () => {
    for (let at = 0; at < 10; at++) await post("/admin/sign-in", { email: `a${at}@example.org` });

    for (const email of [MOD, "nobody@example.org"]) {
      const refused = await post("/admin/sign-in", { email });
      expect([refused.status, Number(refused.headers.get("Retry-After"))]).toEqual([429, 3600]);
    }
    expect(await world.letters(MOD)).toEqual([]);
  });

  test("tells what is no address, and writes in the language of the page", async () => {
    const wrong = await post("/admin/sign-in", { email: "mod@" });
    await post("/admin/sign-in", { email: MOD }, { "Accept-Language": "de" });

    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("mod@")]);
    expect((await world.letters(MOD))[0]?.subject).toBe("Ihr Zugang zur Moderation");
  });
});

describe("the link by e-mail", () => {
  test("shows a button, uses nothing up by being looked at, and opens one session", async () => {
    const link = await asked();
    for (const method of ["GET", "HEAD", "OPTIONS"]) await world.fetch(link, { method });

    const [first, ...others] = await Promise.all(
      [post(link), post(link), post(link)].map((one) => one),
    );
    const answers = [first, ...others].filter((one) => one !== undefined);

    expect(await text(link)).toContain('method="post"');
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404]);
    const refused = answers.find(({ status }) => status === 404);
    expect(refused?.headers.get("Set-Cookie")).toBeNull();
    expect(await refused?.text()).toContain("This link was used before");
  });

  test("sets a cookie that only these pages get, no script reads and no other site sends", async () => {
    const answer = await post(await asked());

    expect(answer.headers.get("Location")).toBe("/admin");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^moderator=[\w-]{43}; Max-Age=1800; Path=\/admin; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test("sets one that goes over encrypted connections only, where the service has them", async () => {
    const BASE_URL = "https://pets.example.org";
    const secure = await createWorld({ ...settings, BASE_URL });
    await secure.fetch("/admin/sign-in", { method: "POST", ...form({ email: MOD }) });
    const link = linkIn((await secure.letters(MOD))[0], "/admin/enter/");

    const answer = await secure.fetch(link, { method: "POST", ...form({}) });

    expect(link).toStartWith(BASE_URL);
    expect(answer.headers.get("Set-Cookie")).toEndWith("; HttpOnly; Secure; SameSite=Strict");
    await secure.end();
  });

  test("works for half an hour, and so does its session", async () => {
    const [late, link] = [await asked(SECOND), await asked()];
    world.jump(30 * MINUTE - 1);
    const opened = await post(link);
    const session = { Cookie: opened.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
    world.jump(1);

    expect((await post(late)).status).toBe(404);
    world.jump(30 * MINUTE - 2);
    expect(await text("/admin", session)).toContain("Signed in as mod@example.org");
    world.jump(1);
    const over = await world.fetch("/admin", { headers: session });
    expect(await over.text()).toContain("Your session is over.");
    expect(over.headers.get("Set-Cookie")).toStartWith("moderator=; Max-Age=0; Path=/admin");
  });

  test("opens nothing any more for who moderates no more, nor after signing out", async () => {
    const [first, second] = [await signedIn(), await signedIn(SECOND)];
    expect(await text("/admin", second)).toContain("Signed in as second@example.org");

    settings["ADMIN_EMAILS"] = MOD;
    await world.restart();
    expect(await text("/admin", second)).toContain("Please sign in again.");
    expect(await text("/admin", first)).toContain("Signed in as mod@example.org");

    const out = await post("/admin/sign-out", {}, first);
    expect([out.status, out.headers.get("Location")]).toEqual([303, "/admin"]);
    expect(await text("/admin", first)).toContain("Please sign in again.");
  });
});

describe("what moderators do", () => {
  test("needs a session, and no other site can have it done", async () => {
    const alert = await world.publish();
    const session = await signedIn();
    await report(alert);

    for (const what of ["hide", "remove", "block", "dismiss"]) {
      for (const cookie of [{}, { Cookie: "moderator=x" }])
        expect((await post(`/admin/alerts/${alert.id}/${what}`, {}, cookie)).status).toBe(403);
      // A sibling of our own subdomain is another site, too: its forms come with the session.
      for (const site of ["cross-site", "same-site"]) {
        const across = { ...session, "Sec-Fetch-Site": site };
        expect((await post(`/admin/alerts/${alert.id}/${what}`, {}, across)).status).toBe(403);
      }
      // Looking does nothing either.
      await world.fetch(`/admin/alerts/${alert.id}/${what}`, { headers: session });
    }

    const picture = `/admin/photos/${"0".repeat(32)}-480.webp`;
    expect((await world.fetch(picture)).status).toBe(403);
    expect((await world.fetch(picture, { headers: session })).status).toBe(404);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect(await text("/admin", session)).toContain("It is a scam");
    expect(await text(`/admin/alerts/${alert.id}/remove`)).not.toContain(alert.short_code);
  });

  test("is written down with who did it, newest first", async () => {
    const alert = await world.publish();
    const [first, second] = [await signedIn(), await signedIn(SECOND)];

    const hidden = await act(first, alert, "hide");
    world.jump(MINUTE);
    await act(second, alert, "restore");
    const page = await text("/admin", first);

    expect([hidden.status, hidden.headers.get("Location")]).toEqual([303, "/admin?done=hide"]);
    expect(page.replace(/\s+/g, " ")).toMatch(
      new RegExp(
        `08:01 UTC: ${SECOND}, shown again, ${alert.short_code}.*08:00 UTC: ${MOD}, hidden, ${alert.short_code}`,
      ),
    );
  });

  test("leaves what was said beside a hidden alert until it is shown again, or for a month", async () => {
    const session = await signedIn();
    const alert = await world.publish();
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });
    for (const one of [alert, other]) {
      await report(one);
      await act(session, one, "hide");
    }

    const page = await text("/admin", session);
    expect(page).toContain("Nothing is reported.");
    expect(page.match(/It is a scam/g)).toHaveLength(2);

    await act(session, other, "restore");
    expect((await text("/admin", session)).match(/It is a scam/g)).toHaveLength(1);
    await world.pass(REPORT_KEEP_MS + DAY);
    const later = await text("/admin", await signedIn());
    expect(later).toContain(alert.short_code);
    expect(later).not.toContain("It is a scam");
  });

  test("happens once when two of them press at the same moment", async () => {
    const alert = await world.publish();
    const sessions = [await signedIn(), await signedIn(SECOND)];

    const answers = await Promise.all(
      [...sessions, ...sessions].map((session) => act(session, alert, "hide")),
    );

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const [session] = sessions;
    const page = await text("/admin", session);
    expect(page.split(`, hidden, ${alert.short_code}`)).toHaveLength(2);
  });

  test("is asked about once more where it cannot be taken back", async () => {
    const alert = await world.publish();
    const session = await signedIn();

    const question = await text(`/admin/alerts/${alert.id}/remove`, session);
    const answer = await act(session, alert, "remove");

    expect(question).toContain("Remove this alert for good?");
    expect(question).toContain(`Lost cat: Mimi (${alert.short_code})`);
    expect(answer.status).toBe(303);
    expect((await world.fetch(alert.url)).status).toBe(410);
    expect(await text("/admin", session)).not.toContain("Mimi");
  });

  test("to an alert that is none is refused", async () => {
    const session = await signedIn();

    expect((await act(session, { id: "nothing" }, "hide")).status).toBe(404);
    const alert = await world.publish();
    for (const what of ["publish", "hide/now", "now/hide", "xblock"])
      expect([what, (await act(session, alert, what)).status]).toEqual([what, 404]);
  });
});

describe("a report", () => {
  test("reaches moderators with the alert's whole text, grouped, the newest first", async () => {
    const alert = await world.publish({ description: "She is shy" });
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });
    const session = await signedIn();

    const thanks = await report(alert, { reason: "not_true", text: "He has no cat" });
    world.jump(1);
    await report(other, { reason: "offensive" });
    world.jump(1);
    await report(alert, { reason: "scam", text: "He wants money" });
    const page = await text("/admin", session);

    expect([thanks.status, await thanks.text()]).toEqual([
      200,
      expect.stringContaining("Moderators will look at it."),
    ]);
    expect(page).toMatch(
      /It is a scam.*He wants money.*It is not true.*He has no cat.*Mimi.*She is shy.*It is offensive.*Rex/s,
    );
    expect(page).not.toContain(LOST_CAT.email);
  });

  test("stays until somebody looked at it", async () => {
    const alert = await world.publish();
    const session = await signedIn();
    await report(alert);

    await act(session, alert, "dismiss");
    const page = await text("/admin", session);

    expect(page).toContain("Nothing is reported.");
    expect(page).toContain(`reports closed, ${alert.short_code}`);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
  });

  test("is taken five times an hour from one caller; the same one again costs nothing", async () => {
    const alert = await world.publish();
    for (let at = 0; at < 5; at++) {
      for (const _ of ["first", "second"])
        expect((await report(alert, { reason: "other", text: `${at}` })).status).toBe(200);
    }

    const refused = await report(alert, { reason: "other", text: "six" });

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("six");
  });

  test("that cannot be is offered again as it was typed", async () => {
    const alert = await world.publish();
    const long = "so ".repeat(200);

    for (const fields of [{ reason: "", text: "why" }, { reason: "nonsense" }, { text: "why" }])
      expect((await report(alert, fields as Record<string, string>)).status).toBe(400);
    const page = await (await report(alert, { reason: "scam", text: long })).text();

    expect(page).toContain(long.trim());
    expect(page).toContain('<option value="scam" selected="">');
    expect((await world.fetch("/alerts/lost-cat-nobody-abc234/report")).status).toBe(404);
  });

  test("begins on the alert's page, under the one address it has", async () => {
    const alert = await world.publish();

    const path = new URL(`${alert.url}/report`).pathname;
    const other = await world.fetch(`/alerts/${alert.short_code}/report`);

    expect(await text(alert.url)).toContain(`href="${path}"`);
    expect([other.status, other.headers.get("Location")]).toEqual([301, `${alert.url}/report`]);
    expect(await text(path)).toContain("does not learn who reported it");
  });

  test("shows hostile text as text", async () => {
    const evil = `"><img src=x onerror=alert(1)></textarea></details><script>'\u202e`;
    const alert = await world.publish({
      name: evil.slice(0, 40),
      color: evil,
      description: evil,
      city: evil,
    });
    const { owner } = await converse(alert, evil);
    await report(alert, { reason: "other", text: evil });
    await post(`${owner}/report`, { reason: "scam", text: evil });
    const session = await signedIn();

    const pages = [
      await text("/admin", session),
      await text(`/admin/alerts/${alert.id}/block`, session),
      await text(`/admin?done=${encodeURIComponent(evil)}`, session),
      await (await report(alert, { reason: evil, text: evil })).text(),
      await (await post("/admin/sign-in", { email: evil })).text(),
      await text(`/admin/enter/${encodeURIComponent(evil)}`),
    ];

    for (const page of pages.slice(0, 5)) expect(page).toContain("&gt;&lt;img");
    expect(pages[0]).not.toContain("\u202e");
    for (const page of pages) {
      expect(page).not.toMatch(/<img src=x|<script|<\/textarea>&lt;img/i);
      expect(page).not.toMatch(/\son\w+="|href="javascript:/i);
    }
  });
});

describe("a hidden alert", () => {
  const CHIP = { microchip: "276098106234567" };

  test("is nowhere to be found, and all is as before when it is restored", async () => {
    const alert = await world.publish({ ...CHIP });
    const twin = await world.publish({ type: "found", email: "f@example.org", ...CHIP });
    const session = await signedIn();
    const listed = async () => {
      const { alerts } = await world.json("/api/v1/alerts?q=mimi");
      const near = await world.json("/api/v1/alerts?lat=45.77&lng=4.83&radius_km=5");
      const tool = await world.tool("search_alerts", { query: "mimi" });
      const { matches } = await world.json(`/api/v1/alerts/${twin.id}/matches`);
      const ids = [...alerts, ...near.alerts, ...(tool["alerts"] as { id: string }[])];
      const home = await text("/");
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

    await act(session, alert, "hide");

    expect(before.listed).toEqual({ found: 3, matched: 1, shown: true });
    expect(await listed()).toEqual({ found: 0, matched: 0, shown: false });
    expect(new Set(await statuses())).toEqual(new Set([410]));
    await expect(world.tool("get_alert", { alert: alert.id })).rejects.toThrow("removed");
    const write = { alert: alert.id, message: "hello", email: FINDER };
    await expect(world.tool("send_message", write)).rejects.toThrow("removed");
    expect((await report(alert)).status).toBe(410);
    expect(await text("/admin", session)).toMatch(/Hidden: only its owner.*Show it again/s);

    await world.restart();
    expect((await listed()).found).toBe(0);
    await act(session, alert, "restore");
    expect({ listed: await listed(), statuses: await statuses() }).toEqual(before);
  });

  test("is told to no zone that was about to hear of it", async () => {
    await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "z@example.org" });
    await world.confirm("z@example.org");
    const session = await signedIn();
    await world.tool("publish_alert", LOST_CAT);
    const link = await linkTo(LOST_CAT.email, "/confirm/");
    const before = (await world.letters("z@example.org")).length;
    await post(link);
    const { alerts } = await world.json("/api/v1/alerts");

    await act(session, alerts[0], "hide");
    await world.pass(2 * HOUR);

    expect(await world.letters("z@example.org")).toHaveLength(before);
  });

  test("is seen by its owner, who can only remove it", async () => {
    const alert = await world.publish();
    const manage = await linkTo(LOST_CAT.email, "/manage/");
    const session = await signedIn();

    await act(session, alert, "hide");
    const token = new URL(manage).pathname.slice("/manage/".length);
    const managed = await world.app.service.managed(token);

    expect(managed).toMatchObject({ hidden: true, moves: ["remove"] });
    expect(managed.alert.name).toBe("Mimi");
    for (const move of ["resolve", "renew", "reopen"])
      expect((await post(`${manage}/${move}`)).status).toBe(409);
    expect((await post(`${manage}/remove`)).status).toBe(200);
    expect(await text("/admin", session)).toContain("No alert is hidden.");
  });

  test("is silent: nobody writes about it, and its conversation says so", async () => {
    const alert = await world.publish();
    const { owner } = await converse(alert);
    await act(await signedIn(), alert, "hide");
    const letters = (await world.letters(FINDER)).length;

    const answer = await post(owner, { message: "Send money" });

    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("Nobody can answer here any more.");
    expect(await world.letters(FINDER)).toHaveLength(letters);
  });
});

describe("blocking an address", () => {
  test("hides its alerts and stops its letters, and its askers are answered as ever", async () => {
    const alert = await world.publish();
    const other = await world.publish({ name: "Rex", email: "owner+dogs@example.org" });
    const session = await signedIn();
    const letters = async (to: string) => (await world.letters(to)).length;
    const before = await letters(LOST_CAT.email);
    const known = await world.tool("publish_alert", { ...LOST_CAT, name: "New", email: FINDER });

    const question = await text(`/admin/alerts/${alert.id}/block`, session);
    await act(session, alert, "block");
    const again = await world.tool("publish_alert", { ...LOST_CAT, name: "New" });

    expect(question).toContain("Block the address that published this?");
    expect(question).not.toContain(LOST_CAT.email);
    for (const { url } of [alert, other]) expect((await world.fetch(url)).status).toBe(410);
    expect(Object.keys(again)).toEqual(Object.keys(known));
    expect(await letters(LOST_CAT.email)).toBe(before);
    expect(await text("/admin", session)).not.toContain(LOST_CAT.email);

    await act(session, alert, "restore");
    await world.tool("publish_alert", { ...LOST_CAT, name: "Newer" });
    expect(await letters(LOST_CAT.email)).toBe(before + 1);
  });

  test("ends what waits for its confirmation", async () => {
    const alert = await world.publish();
    await world.tool("publish_alert", { ...LOST_CAT, name: "Next" });
    const link = await linkTo(LOST_CAT.email, "/confirm/");

    await act(await signedIn(), alert, "block");

    expect(await (await post(link)).text()).toContain("This link has expired");
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
  });
});

describe("a conversation", () => {
  test("is closed by either side, for both and for good", async () => {
    for (const closer of ["owner", "stranger"] as const) {
      const alert = await world.publish();
      const links = await converse(alert, `Hello from ${closer}`);
      const other = closer === "owner" ? links.stranger : links.owner;

      const question = await text(`${links[closer]}/close`);
      expect(await text(links[closer])).toContain('name="message"');
      const closed = await post(`${links[closer]}/close`);
      const again = await post(`${links[closer]}/close`);

      expect(question).toContain("Close this conversation?");
      expect([closed.status, again.status]).toEqual([303, 303]);
      for (const side of [links[closer], other]) {
        const page = await text(side);
        expect(page).toContain("This conversation was closed.");
        expect(page).not.toContain('name="message"');
        const refused = await post(side, { message: "One more thing" });
        expect(refused.status).toBe(409);
        expect(await refused.text()).toContain("This conversation was closed. Nobody can answer");
      }
      await world.pass(DAY);
    }
  });

  test("cannot be begun anew by the stranger of a closed one, who is told so on the page", async () => {
    const alert = await world.publish();
    const { owner } = await converse(alert);
    await post(`${owner}/close`);
    const before = (await world.letters(LOST_CAT.email)).length;

    const asked = await post(alert.contact_url, { email: FINDER, message: "Me again" });
    const pressed = await post(await linkTo(FINDER, "/confirm/"));
    const someone = await post(alert.contact_url, { email: "x@example.net", message: "Me too" });
    await world.confirm("x@example.net");

    // Asking tells nobody what another mailbox has done.
    expect(someone.status).toBe(asked.status);
    expect(pressed.status).toBe(409);
    expect(await pressed.text()).toContain("Your conversation about this alert was closed");
    expect(await world.letters(LOST_CAT.email)).toHaveLength(before + 1);
  });

  test("is read by moderators once a side reported it, without any address", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(alert, "I want gift cards");
    const session = await signedIn();
    expect(await text("/admin", session)).not.toContain("gift cards");

    const before = await text(`${owner}/report`);
    const thanks = await post(`${owner}/report`, { reason: "scam", text: "He asks for money" });
    const desk = await text("/admin", session);

    expect(before).toContain("moderators can read all messages of this conversation");
    expect(await text(owner)).toContain(`${new URL(owner).pathname}/report`);
    expect(thanks.status).toBe(200);
    expect(desk).toMatch(/He asks for money.*Jo<.*I want gift cards.*Who published<.*Where\?/s);
    for (const address of [FINDER, LOST_CAT.email]) expect(desk).not.toContain(address);
    expect(await text(stranger)).not.toContain("He asks for money");
    expect((await post(`${owner}/report`, { reason: "" })).status).toBe(400);
    expect((await post("/conversation/unknown/report", { reason: "scam" })).status).toBe(404);
  });

  test("lets moderators block who wrote, and leaves the alert alone", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(alert);
    await post(`${owner}/report`, { reason: "scam" });
    const session = await signedIn();
    const path =
      /href="(\/admin\/alerts\/[^"]+\/conversations\/[^"]+\/block)"/.exec(
        await text("/admin", session),
      )?.[1] ?? "";

    expect(await text(path, session)).toContain("Block the address that wrote about this?");
    expect((await post(path, {}, session)).status).toBe(303);

    const desk = await text("/admin", session);
    expect(desk).toContain(`${MOD}, writer blocked, ${alert.short_code}`);
    expect(desk).toContain("Nothing is reported.");
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect((await post(stranger, { message: "Pay me" })).status).toBe(409);
    const letters = (await world.letters(FINDER)).length;
    await post(alert.contact_url, { email: FINDER, message: "Pay me again" });
    expect(await world.letters(FINDER)).toHaveLength(letters);
  });
});
