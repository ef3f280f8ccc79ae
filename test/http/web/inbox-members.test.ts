import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Member } from "../../../src/core/organisations/organisation.ts";
import { sessionIn, type Session } from "../../support/moderators.ts";
import {
  askToEnterInbox,
  listedIn,
  MANAGER,
  nameShelter,
  publishFound,
  signInMember,
  STAFF,
  writeAbout,
} from "../../support/organisations.ts";
import { MINUTE } from "../../support/time.ts";
import { createWorld, FINDER, type World } from "../../support/world.ts";

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
const write = (alert: { contact_url: string }, message: string) =>
  writeAbout(world, alert, message, FINDER);
const listed = (session: Session) => listedIn(world, session);
/** Names another shelter, whose pages have the query `IN_CATS`. */
const nameCats = (...members: Member[]) =>
  nameShelter(world, { slug: "cats", name: "Cat Corner", email: "cats@example.org", members });
const IN_CATS = "?organisation=cats";

describe("the members", () => {
  test("are changed by managers, who cannot lock themselves out", async () => {
    const manager = await signInMember(world, MANAGER);
    const membersPage = () => world.text("/inbox/members", manager);
    expect(await membersPage()).toMatch(/tell them to sign in at \S+\/inbox\./);
    await world.post("/inbox/members", { email: "cleo@example.org", role: "staff" }, manager);
    expect(await membersPage()).toContain("cleo@example.org");
    expect(await world.text("/inbox", await signInMember(world, "cleo@example.org"))).toContain(
      "Happy Paws",
    );

    await world.post("/inbox/members/remove", { email: STAFF }, manager);
    expect(await world.text("/inbox", await signInMember(world, MANAGER))).toContain("Happy Paws");
    await world.post("/inbox/sign-in", { email: STAFF });
    expect(await world.emails(STAFF)).toEqual([]);

    const own = await world.post("/inbox/members/remove", { email: MANAGER }, manager);
    expect(own.status).toBe(409);
    const demoted = await world.post("/inbox/members", { email: MANAGER, role: "staff" }, manager);
    expect(demoted.status).toBe(409);
    const wrong = await world.post("/inbox/members", { email: "x", role: "staff" }, manager);
    expect(wrong.status).toBe(400);
  });

  test("lose their sessions and links for good when they are removed, but not by another shelter", async () => {
    await nameCats({ email: "cleo@example.org", role: "manager" });
    const manager = await signInMember(world, MANAGER);
    const stolen = await signInMember(world);
    const link = await askToEnterInbox(world, STAFF);
    const cleo = await signInMember(world, "cleo@example.org");

    await world.post("/inbox/members/remove", { email: STAFF }, cleo);
    expect(await world.text("/inbox", stolen)).toContain("Happy Paws");

    await world.post("/inbox/members/remove", { email: STAFF }, manager);
    await world.post("/inbox/members", { email: STAFF, role: "staff" }, manager);
    expect(await world.text("/inbox", stolen)).not.toContain("Happy Paws");
    expect((await world.post(link)).status).toBe(404);
    expect(await world.text("/inbox", await signInMember(world))).toContain("Happy Paws");
  });

  test("leave by a page that asks first, and cannot come back by themselves", async () => {
    const ben = await signInMember(world);
    const link = await askToEnterInbox(world, STAFF);
    const leave = /href="(\/inbox\/leave[^"]*)"/.exec(await world.text("/inbox", ben))?.[1] ?? "";
    expect(await world.text(leave, ben)).toContain("Leave Happy Paws?");
    expect(await world.text("/inbox", ben)).toContain("Happy Paws");

    const left = await world.post(leave, {}, ben);

    expect(await left.text()).toContain("You’ve left Happy Paws");
    expect(left.headers.get("Set-Cookie")).toContain("member=;");
    expect(await world.text("/inbox", ben)).not.toContain("Happy Paws");
    expect((await world.post(leave, {}, ben)).status).toBe(403);
    expect((await world.post(link)).status).toBe(404);
    await world.post("/inbox/sign-in", { email: STAFF });
    expect(await world.emails(STAFF)).toHaveLength(2);
    const members = await world.text("/inbox/members", await signInMember(world, MANAGER));
    expect(members).toContain(`${STAFF}</bdi> · left`);
    expect(members).not.toContain('value="ben@example.org"');
  });

  test("keep a manager: the last one is told to name another or to ask the operator", async () => {
    const anna = await signInMember(world, MANAGER);
    const asked = await world.text("/inbox/leave", anna);
    expect(asked).toContain(
      "make somebody else a manager first, or ask the people who run this site",
    );
    expect(asked).not.toContain('action="/inbox/leave');
    const refused = await world.post("/inbox/leave", {}, anna);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("A shelter needs a manager.");
    expect(await world.text("/inbox", anna)).toContain("Happy Paws");

    await world.post("/inbox/members", { email: STAFF, role: "manager" }, anna);
    const ben = await signInMember(world);
    const answers = await Promise.all(
      [anna, ben].map((manager) => world.post("/inbox/leave", {}, manager)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("are not changed by staff", async () => {
    const staff = await signInMember(world);
    for (const path of ["/inbox/members", "/inbox/members/remove"])
      expect((await world.post(path, { email: MANAGER, role: "staff" }, staff)).status).toBe(403);
    expect((await world.fetch("/inbox/members", { headers: staff })).status).toBe(403);
  });
});

describe("a member whose address two shelters spell in different ways", () => {
  const CAPITAL = STAFF.replace("ben", "Ben");
  beforeEach(async () => {
    await world.pass(MINUTE);
    await nameCats({ email: CAPITAL, role: "manager" });
  });
  const enterBy = async (email: string) =>
    sessionIn(await world.post(await world.linkTo(email, "/inbox/enter/")));

  test("is sent a link at each spelling, whichever is typed, and each opens the inbox of the shelter that typed it so", async () => {
    await world.post("/inbox/sign-in", { email: STAFF.toUpperCase() });

    expect(await world.emails(STAFF)).toHaveLength(1);
    expect(await world.emails(CAPITAL)).toHaveLength(1);
    expect(await world.emails(STAFF.toUpperCase())).toEqual([]);
    const [atPaws, atCats] = [await enterBy(STAFF), await enterBy(CAPITAL)];
    const paws = await world.text("/inbox", atPaws);
    expect(paws).toContain("Happy Paws");
    expect(paws).not.toContain("Cat Corner");
    expect((await world.fetch(`/inbox${IN_CATS}`, { headers: atPaws })).status).toBe(403);
    const cats = await world.text("/inbox", atCats);
    expect(cats).toContain("Cat Corner");
    expect(cats).not.toContain("Happy Paws");
  });
});

describe("a member of two shelters", () => {
  const CLEO = "cleo@example.org";
  beforeEach(async () => {
    await world.pass(MINUTE);
    await nameCats({ email: CLEO, role: "manager" }, { email: STAFF, role: "manager" });
  });

  test("signs in once, sees one inbox at a time, and answers for each", async () => {
    await write(await publish(), "Is the dog still there?");
    await world.pass(MINUTE);
    await write(await publish({ species: "cat", email: "cats@example.org" }), "Is the cat?");
    const session = await signInMember(world);
    expect(await world.emails(STAFF)).toHaveLength(1);

    const paws = await world.text("/inbox", session);
    expect(paws).toContain("Is the dog still there?");
    expect(paws).not.toContain("Is the cat?");
    expect(paws).toContain(`<a href="/inbox${IN_CATS}">Cat Corner</a>`);
    const cats = await world.text(`/inbox${IN_CATS}`, session);
    expect(cats).toContain("Is the cat?");
    expect(cats).not.toContain("Is the dog still there?");
    expect(cats).toContain('<a href="/inbox?organisation=happy-paws">Happy Paws</a>');

    const aboutCat = /href="(\/inbox\/conversations\/[^"]+)"/.exec(cats)?.[1] ?? "";
    expect((await world.post(aboutCat, { message: "Yes, he is" }, session)).status).toBe(303);
    expect((await world.emails(FINDER)).at(-1)?.text).toContain("Yes, he is");
    const [aboutDog = ""] = await listed(session);
    expect(await world.text(aboutDog, session)).toContain('href="/inbox?organisation=happy-paws"');
    const read = await world.post(`${aboutDog}/read`, {}, session);
    expect(read.headers.get("Location")).toBe("/inbox?organisation=happy-paws");

    const log = await world.text(`/inbox/members${IN_CATS}`, await signInMember(world, CLEO));
    expect(log).toContain(STAFF);
    expect(log).not.toContain(MANAGER);
  });

  test("changes neither by a form that does not say for which it is", async () => {
    const dog = await publish();
    const session = await signInMember(world);

    for (const [path, fields] of [
      ["/inbox/alerts", { alert: dog.id }],
      ["/inbox/members", { email: "dora@example.org", role: "staff" }],
      ["/inbox/members/remove", { email: CLEO }],
      ["/inbox/leave", {}],
    ] as const) {
      const refused = await world.post(path, fields, session);
      expect(refused.status).toBe(400);
      const page = await refused.text();
      expect(page).toContain("You are a member of several shelters");
      expect(page).toContain('<a href="/inbox">');
    }

    expect((await world.json(`/api/v1/alerts/${dog.slug}`)).status).toBe("active");
    expect(await world.text("/inbox", session)).toContain("Happy Paws");
    const members = await world.text(`/inbox/members${IN_CATS}`, session);
    expect(members).toContain(CLEO);
    expect(members).not.toContain("dora@example.org");
  });

  test("has in each the rights that it gave", async () => {
    const dog = await publish();
    const cat = await publish({ species: "cat", email: "cats@example.org" });
    const session = await signInMember(world);

    expect((await world.fetch("/inbox/members", { headers: session })).status).toBe(403);
    const page = await world.text(`/inbox/members${IN_CATS}`, session);
    expect(page).toContain(`action="/inbox/members${IN_CATS}"`);
    const added = { email: "dora@example.org", role: "staff" };
    const refused = await world.post("/inbox/members?organisation=happy-paws", added, session);
    expect(refused.status).toBe(403);
    const saved = await world.post(`/inbox/members${IN_CATS}`, added, session);
    expect(saved.headers.get("Location")).toBe(`/inbox/members${IN_CATS}`);
    expect(await world.text(`/inbox/members${IN_CATS}`, session)).toContain(added.email);

    // An alert ends only on the page of its own shelter.
    const alerts = await world.text(`/inbox/alerts${IN_CATS}`, session);
    expect(alerts).toContain(`action="/inbox/alerts${IN_CATS}"`);
    const afterEnding = async ({ id }: { id: string }) =>
      (await world.post(`/inbox/alerts${IN_CATS}`, { alert: id }, session)).headers.get("Location");
    expect(await afterEnding(dog)).toBe(`/inbox/alerts${IN_CATS}&ended=0`);
    expect(await afterEnding(cat)).toBe(`/inbox/alerts${IN_CATS}&ended=1`);
  });

  test("is refused the inbox of any other shelter, known or not", async () => {
    const cleo = await signInMember(world, CLEO);
    for (const slug of ["happy-paws", "nobody", "%00", "x".repeat(500)])
      for (const path of ["/inbox", "/inbox/alerts", "/inbox/members"]) {
        const answer = await world.fetch(`${path}?organisation=${slug}`, { headers: cleo });
        expect(answer.status).toBe(403);
        expect(await answer.text()).not.toContain("Happy Paws");
      }
  });
});
