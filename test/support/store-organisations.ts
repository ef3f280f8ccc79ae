import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { MemberAction, Organisation } from "../../src/core/organisations/organisation.ts";
import type { Store } from "../../src/core/service/store.ts";
import { emailsDue, publish as published, relay } from "./confirmed.ts";
import { makeAnswer, makeBulk, makeDraft, makeEmail, makeId, makeMessage } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, HOUR, MINUTE } from "./time.ts";

/** Store contract: organisations, their alerts, their members and what these do. */
export function describeOrganisations(): void {
  describe("an organisation", () => {
    const paws: Organisation = {
      slug: "happy-paws",
      name: "Happy Paws",
      email: "shelter@example.org",
      address: "12 rue des Lilas\nLyon",
      hours: null,
      phone: "+33 4 78 00 00 00",
      page: "https://paws.example.org/",
      logo: null,
    };
    const nobody = { added: [], removed: [] };
    const save = (about: Partial<Organisation> = {}, isNew = true) =>
      store.saveOrganisation({ ...paws, ...about }, nobody, isNew, DAWN);
    const publish = async (ownerEmail: string | null): Promise<string> => {
      const draft = makeDraft();
      await store.addAlerts([makeBulk({ draft, ownerEmail, source: makeId("import:a") })], DAWN);
      return draft.id;
    };
    const read = async (id: string): Promise<Alert> => (await store.alert({ by: "id", id }))!;
    const nameOn = async (id: string) => (await read(id)).organisationName;
    const actionOf = (about: Partial<MemberAction> = {}): MemberAction => ({
      id: makeId("action"),
      at: DAWN + HOUR,
      organisation: paws.slug,
      who: "anna@example.org",
      act: "resolve",
      subject: "ABC234",
      ...about,
    });

    test("is read as it was saved, by its slug and in a list", async () => {
      expect(await save()).toEqual({ kind: "saved" });
      await save({ slug: "cats", email: null });

      expect(await store.organisation(paws.slug)).toEqual(paws);
      expect(await store.organisation("unknown")).toBeNull();
      const slugs = async (after: string | null) =>
        (await store.organisations(after, 10)).map(({ slug }) => slug);
      expect(await slugs(null)).toEqual(["cats", "happy-paws"]);
      expect(await slugs("cats")).toEqual(["happy-paws"]);
    });

    test("is added once, changed only if it is there, and shares its address with no other", async () => {
      await save();
      expect(await save()).toEqual({ kind: "exists" });
      expect(await save({ slug: "cats" }, false)).toEqual({ kind: "unknown" });
      expect(await save({ slug: "cats", email: "SHELTER@example.org" })).toEqual({
        kind: "email_taken",
      });
      expect(await save({ name: "Paws" }, false)).toEqual({ kind: "saved" });
      expect((await store.organisation(paws.slug))?.name).toBe("Paws");
    });

    test("is named on alerts of its address that are published later, and on no others", async () => {
      await save();
      const its = await publish("Shelter@example.org");
      const others = [await publish("anna@example.org"), await publish(null)];

      expect(await read(its)).toMatchObject({
        organisation: paws.slug,
        organisationName: paws.name,
      });
      for (const id of others)
        expect(await read(id)).toMatchObject({ organisation: null, organisationName: null });
    });

    test("is named on earlier alerts some at a time, which the indexes hear of", async () => {
      const its = [await publish(paws.email), await publish(paws.email), await publish(paws.email)];
      const other = await publish("anna@example.org");
      await save();
      const { revision } = await store.position();

      expect(await store.alignAlerts(paws.slug, 2, DAWN + HOUR)).toBe(2);
      expect(await store.alignAlerts(paws.slug, 2, DAWN + HOUR)).toBe(1);
      expect(await store.alignAlerts(paws.slug, 2, DAWN + HOUR)).toBe(0);

      for (const id of its) expect(await nameOn(id)).toBe(paws.name);
      expect(await nameOn(other)).toBeNull();
      const { alerts } = await store.changesSince(revision, 10);
      const slugs = alerts.map((change) => change.kind === "put" && change.alert.organisation);
      expect(slugs).toEqual([paws.slug, paws.slug, paws.slug]);
      expect((await read(its[0]!)).updatedAt).toBe(DAWN + HOUR);
      expect(await store.countActiveOf(paws.slug)).toBe(3);
    });

    test("gives its alerts a new name, and up those of an address that it no longer has", async () => {
      await save();
      const id = await publish(paws.email);
      await save({ name: "Paws" }, false);
      await store.alignAlerts(paws.slug, 10, DAWN);
      expect(await nameOn(id)).toBe("Paws");

      await save({ email: "new@example.org" }, false);
      await store.alignAlerts(paws.slug, 10, DAWN);
      expect(await nameOn(id)).toBeNull();
    });

    test("leaves its alerts without it when it is removed", async () => {
      await save();
      const ids = [await publish(paws.email), await publish(paws.email)];

      expect(await store.releaseAlerts(paws.slug, 1, DAWN)).toBe(1);
      expect(await store.removeOrganisation(paws.slug, DAWN)).toBe(true);
      expect(await store.removeOrganisation(paws.slug, DAWN)).toBe(false);

      for (const id of ids) expect(await nameOn(id)).toBeNull();
      expect(await store.organisation(paws.slug)).toBeNull();
    });

    test("shows its logo to everyone until it is removed", async () => {
      await store.keepUploadedPhoto("logo", DAWN + HOUR);
      await save({ logo: "logo" });
      expect(await store.isPhotoPublic("logo")).toBe(true);

      await store.removeOrganisation(paws.slug, DAWN);
      expect(await store.isPhotoPublic("logo")).toBe(false);
    });

    const change = (
      slug: string,
      members: Partial<Parameters<Store["changeMembers"]>[0]>,
      at = DAWN,
    ) =>
      store.changeMembers(
        { ...nobody, ...members },
        actionOf({ organisation: slug, act: "add_member", at }),
        false,
      );
    const staff = (...names: string[]) =>
      names.map((name) => ({ email: `${name}@example.org`, role: "staff" as const }));
    /** Opens a session, which `name` names, with a link made at this time. */
    const signIn = async (name: string, madeAt: number, token = name) => {
      const link = {
        purpose: "inbox",
        tokenHash: `${token}-link`,
        email: `${name}@example.org`,
        expiresAt: madeAt + HOUR,
      } as const;
      await store.addSignInLinks([link], await makeAnswer(store), madeAt);
      const session = { tokenHash: token, expiresAt: DAWN + 9 * HOUR };
      await store.openSession("inbox", link.tokenHash, session, madeAt);
    };
    const slugsOf = async (session: string, now = DAWN) =>
      (await store.memberships(session, now, 10)).map(({ organisation }) => organisation);

    test("has members, who get a new role when they are added again", async () => {
      await save();
      const anna = "anna@example.org";
      const cleo = { email: "cleo@example.org", role: "manager" } as const;
      expect(await change(paws.slug, { added: [...staff("anna"), cleo] })).toEqual({
        kind: "saved",
      });
      await change(paws.slug, { added: [{ email: "ANNA@example.org", role: "manager" }] });

      expect(await store.members(paws.slug, 10)).toEqual([
        { email: "ANNA@example.org", role: "manager" },
        cleo,
      ]);
      expect(await store.memberAddresses(anna, 10)).toEqual(["ANNA@example.org"]);
      await change(paws.slug, { removed: [anna] });
      expect(await store.memberAddresses(anna, 10)).toEqual([]);
    });

    test("keeps a manager if it has one, whoever changes its members but the operator", async () => {
      await save();
      const manager = (name: string) => ({ ...staff(name)[0]!, role: "manager" as const });
      expect(await change(paws.slug, { added: staff("cleo") })).toEqual({ kind: "saved" });
      expect(await change(paws.slug, { removed: ["cleo@example.org"] })).toEqual({ kind: "saved" });
      await change(paws.slug, { added: [manager("anna"), ...staff("ben")] });
      const members = await store.members(paws.slug, 10);

      for (const none of [{ removed: ["ANNA@example.org"] }, { added: staff("Anna") }])
        expect(await change(paws.slug, none)).toEqual({ kind: "no_manager" });
      expect(await store.members(paws.slug, 10)).toEqual(members);
      const before = await store.memberActions(paws.slug, 10);

      await change(paws.slug, { added: [manager("ben")] });
      const both = await Promise.all(
        ["anna", "ben"].map((name) => change(paws.slug, { removed: [`${name}@example.org`] })),
      );
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(["no_manager", "saved"]);
      expect(await store.memberActions(paws.slug, 10)).toHaveLength(before.length + 2);

      const removed = ["anna@example.org", "ben@example.org"];
      await store.saveOrganisation(paws, { added: [], removed }, false, DAWN);
      expect(await store.members(paws.slug, 10)).toEqual([]);
    });

    test("is changed for a manager only while they are one, in that spelling", async () => {
      await save();
      const anna = "anna@example.org";
      const add = (name: string) =>
        store.changeMembers(
          { ...nobody, added: staff(name) },
          actionOf({ act: "add_member", who: anna }),
          true,
        );
      await change(paws.slug, {
        added: [
          { email: "ben@example.org", role: "manager" },
          { email: anna, role: "manager" },
        ],
      });
      expect(await add("cleo")).toEqual({ kind: "saved" });

      const before = await store.memberActions(paws.slug, 10);
      for (const less of [
        { added: [{ email: "ANNA@example.org", role: "manager" as const }] },
        { added: staff("anna") },
        { removed: [anna] },
      ]) {
        await change(paws.slug, less);
        expect(await add("dora")).toEqual({ kind: "not_allowed" });
      }
      expect(await store.memberActions(paws.slug, 10)).toHaveLength(before.length + 3);
      expect(await store.memberAddresses("dora@example.org", 10)).toEqual([]);
    });

    test("shares members with others: each has a role in each, and the oldest membership is first", async () => {
      await save();
      await save({ slug: "cats", name: "Cats", email: null });
      await change(paws.slug, { added: staff("anna") }, DAWN + MINUTE);
      const manager = { email: "anna@example.org", role: "manager" } as const;
      const cleo = { email: "cleo@example.org", role: "manager" } as const;
      expect(await change("cats", { added: [manager, cleo] }, DAWN)).toEqual({ kind: "saved" });
      await signIn("anna", DAWN + HOUR);

      const all = [
        { ...manager, organisation: "cats", name: "Cats" },
        { ...staff("anna")[0]!, organisation: paws.slug, name: paws.name },
      ];
      expect(await store.memberships("anna", DAWN, 10)).toEqual(all);
      expect(await store.memberships("anna", DAWN, 1)).toEqual(all.slice(0, 1));
      expect(await store.memberAddresses("Anna@example.org", 10)).toEqual([manager.email]);

      // A new role moves nothing, and the other organisation keeps its own.
      await change("cats", { added: staff("anna") }, DAWN + 2 * HOUR);
      expect((await store.memberships("anna", DAWN, 10)).map(({ role }) => role)).toEqual([
        "staff",
        "staff",
      ]);
      await change("cats", { removed: ["ANNA@example.org"] });
      expect(await slugsOf("anna")).toEqual([paws.slug]);
      expect(await store.members("cats", 10)).toEqual([cleo]);
    });

    test("lets nobody act by a link to another spelling of a member's address", async () => {
      await save();
      await save({ slug: "cats", email: null });
      await save({ slug: "dogs", email: null });
      const spelled = (email: string) => [{ email, role: "staff" as const }];
      await change(paws.slug, { added: spelled("Anna@example.org") }, DAWN);
      await change("cats", { added: spelled("anna@example.org") }, DAWN + MINUTE);
      await change("dogs", { added: spelled("Anna@example.org") }, DAWN + 2 * MINUTE);
      await change("dogs", { added: spelled("anna+dogs@example.org") }, DAWN);

      const addresses = (email: string, limit = 10) => store.memberAddresses(email, limit);
      expect(await addresses("ANNA@example.org")).toEqual(["Anna@example.org", "anna@example.org"]);
      expect(await addresses("anna@example.org")).toEqual(["anna@example.org", "Anna@example.org"]);
      expect(await addresses("anna@example.org", 1)).toEqual(["anna@example.org"]);
      await signIn("Anna", DAWN + HOUR);
      await signIn("anna", DAWN + HOUR);
      expect(await slugsOf("Anna")).toEqual([paws.slug, "dogs"]);
      expect(await slugsOf("anna")).toEqual(["cats"]);

      // A new spelling in one organisation changes nothing about the other one's member.
      await change("cats", { added: spelled("Anna@example.org") }, DAWN + 2 * HOUR);
      expect(await slugsOf("anna")).toEqual([]);
      expect(await slugsOf("Anna")).toEqual([paws.slug, "dogs"]);
      expect(await store.members("cats", 10)).toEqual(spelled("Anna@example.org"));
      await signIn("Anna", DAWN + 3 * HOUR, "again");
      expect(await slugsOf("again")).toEqual([paws.slug, "dogs", "cats"]);
    });

    test("sends all links of one request or none", async () => {
      const links = ["Anna", "anna"].map((name) => ({
        purpose: "inbox" as const,
        tokenHash: `${name}-link`,
        email: `${name}@example.org`,
        expiresAt: DAWN + HOUR,
      }));
      const emails = [makeEmail(), makeEmail()] as const;
      const answer = { ...(await makeAnswer(store)), emails };

      await store.addSignInLinks(links, answer, DAWN);
      // Another node has answered it already.
      const more = [{ ...links[0]!, tokenHash: "late-link" }];
      await store.addSignInLinks(more, answer, DAWN);

      expect((await emailsDue(store)).toSorted()).toEqual(emails.map(({ id }) => id).toSorted());
      const open = (link: string) =>
        store.openSession("inbox", link, { tokenHash: link, expiresAt: DAWN + HOUR }, DAWN);
      expect(await Promise.all(["Anna-link", "anna-link", "late-link"].map(open))).toEqual([
        true,
        true,
        false,
      ]);
    });

    test("has members whose sign-in link opens one session, which ends", async () => {
      await save();
      await change(paws.slug, { added: staff("anna") });
      const email = "anna@example.org";
      const expiresAt = DAWN + 30 * MINUTE;
      const link = { purpose: "inbox", tokenHash: "link", email, expiresAt } as const;
      const session = { tokenHash: "session", expiresAt: DAWN + 50 * MINUTE };
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);

      expect(await slugsOf("link")).toEqual([]);
      expect(await store.openSession("inbox", "link", session, DAWN)).toBe(true);
      expect(await store.openSession("inbox", "link", session, DAWN)).toBe(false);
      expect(await slugsOf("session")).toEqual([paws.slug]);
      expect(await slugsOf("session", DAWN + HOUR)).toEqual([]);
      // A moderator's session is another thing.
      expect(await store.sessionMailbox("moderation", "session", DAWN)).toBeNull();
      await store.renewSession("session", DAWN + 90 * MINUTE, DAWN);
      expect(await slugsOf("session", DAWN + 80 * MINUTE)).toEqual([paws.slug]);
      await store.endSession("session");
      expect(await slugsOf("session")).toEqual([]);
    });

    test("ends links and sessions of members who are removed, or whose organisation is, and no others", async () => {
      await save();
      await save({ slug: "cats", email: null });
      await change(paws.slug, { added: staff("anna", "ben") });
      for (const name of ["anna", "ben"]) await signIn(name, DAWN);

      // Nobody's sessions end because another organisation removes them.
      await change("cats", { removed: ["anna@example.org"] });
      expect(await slugsOf("anna")).toEqual([paws.slug]);

      await change(paws.slug, { removed: ["anna@example.org"] });
      await change(paws.slug, { added: staff("anna") });
      expect(await slugsOf("anna")).toEqual([]);
      expect(await slugsOf("ben")).toEqual([paws.slug]);

      await store.removeOrganisation(paws.slug, DAWN);
      expect(await slugsOf("ben")).toEqual([]);
    });

    test("ends for good what a removed member's sessions and links may do for it, and no more than that", async () => {
      await save();
      await save({ slug: "cats", email: null });
      await change("cats", { added: staff("anna") });
      await change(paws.slug, { added: staff("anna") });
      await signIn("anna", DAWN + MINUTE);
      const email = "anna@example.org";
      const link = { purpose: "inbox", tokenHash: "link", email, expiresAt: DAWN + HOUR } as const;
      await store.addSignInLinks([link], await makeAnswer(store), DAWN + MINUTE);
      expect(await slugsOf("anna")).toEqual(["cats", paws.slug]);

      // As often as somebody likes: the other organisation's member stays signed in.
      for (const minute of [2, 4]) {
        await change(paws.slug, { removed: ["anna@example.org"] }, DAWN + minute * MINUTE);
        await change(paws.slug, { added: staff("anna") }, DAWN + (minute + 1) * MINUTE);
      }

      expect(await slugsOf("anna")).toEqual(["cats"]);
      const session = { tokenHash: "late", expiresAt: DAWN + HOUR };
      expect(await store.openSession("inbox", "link", session, DAWN + 6 * MINUTE)).toBe(true);
      expect(await slugsOf("late")).toEqual(["cats"]);
      await signIn("anna", DAWN + 6 * MINUTE, "again");
      expect(await slugsOf("again")).toEqual(["cats", paws.slug]);
    });

    test("loses members who are erased, but none who were added after that began", async () => {
      await save();
      await save({ slug: "cats", email: null });
      await change(paws.slug, { added: staff("anna", "ben") });
      const begun = await store.beginErasure("anna@example.org", DAWN + HOUR);
      await change("cats", { added: staff("anna") }, DAWN + 2 * HOUR);

      expect(await store.continueErasure(begun, 50, DAWN + 2 * HOUR)).toBe(true);

      await signIn("anna", DAWN + 3 * HOUR);
      expect(await slugsOf("anna", DAWN + 3 * HOUR)).toEqual(["cats"]);
      expect(await store.members(paws.slug, 10)).toEqual(staff("ben"));
    });

    test("has an inbox: unread conversations about its alerts first, each network in turn", async () => {
      await save();
      const its = await published(store, { ownerEmail: paws.email });
      const other = await published(store, { ownerEmail: "anna@example.org" });
      const wrote = async (alert: Alert, stranger: string, minute: number, networkHash = "a") => {
        const now = DAWN + minute * MINUTE;
        await relay(store, alert, stranger, { networkHash, now, text: stranger });
      };
      for (const [nth, stranger] of ["ben", "cleo", "dora"].entries())
        await wrote(its, stranger, nth + 2);
      await wrote(its, "eve", 1, "b");
      await wrote(other, "fay", 5);
      const listed = async (limit = 10, offset = 0) => {
        const page = await store.inbox(paws.slug, limit, offset);
        const { conversations, ...numbers } = page;
        return { ...numbers, texts: conversations.map(({ text }) => text) };
      };

      const all = { total: 4, unread: 4 };
      expect(await listed()).toEqual({ ...all, texts: ["dora", "eve", "cleo", "ben"] });
      expect(await listed(2, 2)).toEqual({ ...all, texts: ["cleo", "ben"] });
      expect(await listed(2, 4)).toEqual({ total: 0, unread: 0, texts: [] });

      const { conversations } = await store.inbox(paws.slug, 10, 0);
      const [dora, eve] = conversations;
      expect(dora).toEqual({
        id: dora!.id,
        shortCode: its.shortCode,
        type: its.type,
        species: its.species,
        name: its.name,
        strangerName: dora!.strangerName,
        text: "dora",
        at: DAWN + 4 * MINUTE,
        isUnread: true,
        isClosed: false,
      });
      await store.markRead(dora!.id, actionOf({ act: "read" }));
      const reply = makeMessage(eve!.id, { text: "Yes", createdAt: DAWN + HOUR });
      const action = actionOf({ act: "reply" });
      await store.addReply(reply, its.id, makeEmail(), action);
      expect(await listed()).toEqual({
        total: 4,
        unread: 2,
        texts: ["cleo", "ben", "dora", "eve"],
      });
      const acts = (await store.memberActions(paws.slug, 10)).map(({ act }) => act);
      expect(acts.toSorted()).toEqual(["read", "reply"]);

      // What was read is not read once more, so that nobody fills the log.
      for (const { id } of [dora!, eve!]) await store.markRead(id, actionOf({ act: "read" }));
      // The same once more, from an impatient click, is neither sent nor logged.
      await store.addReply({ ...reply, id: makeId("message") }, its.id, makeEmail(), {
        ...action,
        id: makeId("action"),
      });
      expect(await store.memberActions(paws.slug, 10)).toHaveLength(2);
    });

    test("ends its alerts together, those that are as seen and its own, and logs who did", async () => {
      await save();
      const its = await read(await publish(paws.email));
      const other = await read(await publish("anna@example.org"));
      const changed = await read(await publish(paws.email));
      const change = { status: "resolved", expiresAt: its.expiresAt, endedAt: DAWN } as const;
      await store.changeStatus(changed, { ...change, expiresAt: changed.expiresAt }, DAWN);

      const resolved = await store.resolveAlerts(
        [its, other, changed].map((seen) => ({
          seen,
          change: { ...change, expiresAt: seen.expiresAt },
          action: actionOf({ subject: seen.shortCode }),
        })),
        DAWN + HOUR,
      );

      expect(resolved).toEqual([its.id]);
      expect((await read(its.id)).status).toBe("resolved");
      expect((await read(other.id)).status).toBe("active");
      const log = await store.memberActions(paws.slug, 10);
      expect(log.map(({ subject }) => subject)).toEqual([its.shortCode]);
    });
  });
}
