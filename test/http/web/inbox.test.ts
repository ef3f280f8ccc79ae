import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CAPS } from "../../../src/core/caps.ts";
import { sessionIn, type Session } from "../../support/moderators.ts";
import {
  listedIn,
  MANAGER,
  nameShelter,
  publishFound,
  SHELTER,
  signInMember,
  STAFF,
  writeAbout,
} from "../../support/organisations.ts";
import { MINUTE } from "../../support/time.ts";
import { createWorld, FINDER, form, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
  await nameShelter(world);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const publish = (about: object = {}) => publishFound(world, about);
const write = (alert: { contact_url: string }, message: string, email = FINDER) =>
  writeAbout(world, alert, message, email);
const listed = (session: Session) => listedIn(world, session);

describe("signing in to the inbox", () => {
  test("answers alike whoever asks, and writes to members only", async () => {
    const pages = new Set<string>();
    for (const email of [STAFF, "bea@example.org", SHELTER.replace("shelter", "bob")])
      pages.add(await (await world.press("/inbox/sign-in", { email })).text());

    expect(pages.size).toBe(1);
    expect(await world.emails(STAFF)).toHaveLength(1);
    expect(await world.emails("bea@example.org")).toEqual([]);
  });

  test("fills a mailbox with five emails a day, but never keeps a member out", async () => {
    const ask = (from: string) => world.post("/inbox/sign-in", { email: STAFF }, {}, from);
    for (let at = 0; at < 8; at++) await ask("203.0.113.9");
    expect(await world.emails(STAFF)).toHaveLength(CAPS.linkEmailsPerMailbox.max);
    await ask("198.51.100.7");
    expect(await world.emails(STAFF)).toHaveLength(CAPS.linkEmailsPerMailbox.max + 1);
  });

  test("opens one session by a button, which a GET does not press, and ends it", async () => {
    await world.post("/inbox/sign-in", { email: STAFF });
    const link = await world.linkTo(STAFF, "/inbox/enter/");
    await world.text(link);
    const session = sessionIn(await world.post(link));
    expect((await world.post(link)).status).toBe(404);
    expect(await world.text("/inbox", session)).toContain("Happy Paws");

    await world.post("/inbox/sign-out", {}, session);
    expect(await world.text("/inbox", session)).not.toContain("Happy Paws");
  });

  test("opens no moderation, and a moderator's cookie no inbox", async () => {
    const { Cookie } = await signInMember(world);
    const asModerator = { Cookie: Cookie.replace("member=", "moderator=") };
    expect((await world.fetch("/admin", { headers: asModerator })).status).toBe(404);
  });
});

describe("the inbox", () => {
  test("lists the conversations about the shelter's alerts alone, unread ones first", async () => {
    const dog = await publish();
    const cat = await world.publish({ ...LOST_CAT, email: MANAGER });
    await write(dog, "Is it still there?");
    await world.pass(MINUTE);
    await write(dog, "I know this dog", "jo@example.net");
    await write(cat, "I saw your cat");
    const session = await signInMember(world);

    const page = await world.text("/inbox", session);
    expect(page).toContain("Is it still there?");
    expect(page).toContain("2 unread conversations");
    expect(page).not.toContain("I saw your cat");
    for (const address of [FINDER, "jo@example.net", SHELTER]) expect(page).not.toContain(address);

    const [newest, oldest] = await listed(session);
    await world.post(`${newest}/read`, {}, session);
    expect(await listed(session)).toEqual([oldest!, newest!]);
    expect(await world.text("/inbox", session)).toContain("1 unread conversation");
  });

  test("answers for the shelter: the stranger gets it, and the log says who wrote", async () => {
    const dog = await publish();
    await write(dog, "Is it still there?");
    const session = await signInMember(world);
    const [conversation = ""] = await listed(session);

    const answer = await world.post(conversation, { message: "Yes, call 0478001122" }, session);
    expect(answer.status).toBe(303);

    const received = (await world.emails(FINDER)).at(-1)?.text ?? "";
    expect(received).toContain("Yes, call");
    for (const hidden of ["0478001122", STAFF, SHELTER]) expect(received).not.toContain(hidden);
    expect(await world.text("/inbox", session)).toContain("No unread conversations.");
    const log = await world.text("/inbox/members", await signInMember(world, MANAGER));
    expect(log).toContain(STAFF);
    expect(log).toContain(dog.short_code);

    await world.pass(MINUTE);
    await write(dog, "When are you open?");
    expect(await world.text("/inbox", session)).toContain("1 unread conversation");
  });

  test("keeps the conversations of others out, and strangers away from all of them", async () => {
    const dog = await publish();
    const cat = await world.publish({ ...LOST_CAT, email: MANAGER });
    await write(dog, "Is it still there?");
    await write(cat, "I saw your cat");
    await nameShelter(world, {
      slug: "cats",
      email: "cats@example.org",
      members: [{ email: "cleo@example.org", role: "manager" }],
    });
    const [conversation = ""] = await listed(await signInMember(world));
    const cleo = await signInMember(world, "cleo@example.org");

    expect(await listed(cleo)).toEqual([]);
    expect((await world.fetch(conversation, { headers: cleo })).status).toBe(404);
    for (const odd of ["x", "%00", "..%2F..%2Fadmin"])
      expect((await world.fetch(`/inbox/conversations/${odd}`, { headers: cleo })).status).toBe(
        404,
      );
    expect((await world.post(conversation, { message: "Hello" }, cleo)).status).toBe(404);
    expect((await world.post(`${conversation}/read`, {}, cleo)).status).toBe(404);
    expect(await world.text(conversation)).not.toContain("Is it still there?");
    const sent = { ...form({ message: "Hello" }) };
    const { Cookie } = await signInMember(world);
    for (const headers of [{}, { Cookie }, { Cookie, "Sec-Fetch-Site": "cross-site" }]) {
      const post = { method: "POST", body: sent.body, headers: { ...sent.headers, ...headers } };
      expect((await world.fetch(conversation, post)).status).toBe(403);
    }
    expect(await world.emails(FINDER)).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining("Hello") }),
    );
  });

  test("ends several alerts at once, and those of others never", async () => {
    const dogs = [
      await publish(),
      await publish({ color: "white" }),
      await publish({ color: "tan" }),
    ];
    const cat = await world.publish({ ...LOST_CAT, email: MANAGER });
    const session = await signInMember(world);
    expect(await world.text("/inbox/alerts", session)).toContain(dogs[0].id);

    const { headers } = form({});
    const chosen = [dogs[0].id, dogs[1].id, cat.id, "unknown"];
    const body = chosen.map((id) => `alert=${id}`).join("&");
    const answer = await world.fetch("/inbox/alerts", {
      method: "POST",
      headers: { ...headers, ...session },
      body,
    });

    expect(await world.text(answer.headers.get("Location") ?? "", session)).toContain(
      "2 alerts were ended.",
    );
    const statusOf = async ({ slug }: { slug: string }) =>
      (await world.json(`/api/v1/alerts/${slug}`)).status;
    expect(await statusOf(dogs[0])).toBe("resolved");
    expect(await statusOf(dogs[1])).toBe("resolved");
    expect(await statusOf(dogs[2])).toBe("active");
    expect(await statusOf(cat)).toBe("active");
  });
});
