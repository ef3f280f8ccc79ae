import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import { type Email } from "../../src/core/email.ts";
import { NOBODY } from "../../src/core/moderation/report.ts";
import {
  addRequest,
  ANNA,
  BEN,
  conversationLinks,
  emailsDue,
  erasePerson,
  loadAlert,
  NO_DATA,
  publishFor,
  relay,
  see,
  subscribe,
  tellOwner,
  waiting,
} from "./confirmed.ts";
import {
  makeAction,
  makeAnswer,
  makeRequest,
  makeId,
  makeEmail,
  makePending,
  publicationOf,
} from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import type { PrivateLink } from "../../src/core/people/link-store.ts";
import { emailAlert } from "../../src/core/alerts/email-alert.ts";

/** Mailboxes that are not `Anna@example.org`. */
const OTHERS = [
  "anna+cats@example.org",
  "anna@example.net",
  "hanna@example.org",
  "a.nna@example.org",
];

/** Store contract: what is erased of a person. */
export function describeErasure(): void {
  describe("erasure", () => {
    /** A first message from a stranger; its email to the owner still waits. */
    async function write(alert: Alert, strangerEmail: string) {
      const links = conversationLinks(`conversation-${alert.id}-${strangerEmail}`);
      const email = carrying(alert, links[0]);
      await relay(store, alert, strangerEmail, { links, ownerEmail: { email, hits: [] } });
      const conversation = (await store.conversationBetween(alert.id, strangerEmail))!;
      return { conversation, links, email };
    }

    const carrying = (alert: Alert, link: PrivateLink | undefined): Email =>
      makeEmail({
        to: alert.ownerEmail ?? "",
        content: {
          kind: "message",
          alert: emailAlert(alert),
          from: "stranger",
          isFromShelter: false,
          name: null,
          text: "hi",
          photos: 0,
          conversationId: "",
          sealedToken: link?.sealed ?? "",
          organisation: null,
        },
      });

    async function fill(email: string) {
      const alert = await publishFor(store, email, { photos: [] });
      const away = await publishFor(store, BEN);
      const zone = await subscribe(store, { email });
      const begun = await write(away, email);
      const got = await write(alert, BEN);
      const asked = await addRequest(
        store,
        { email, addressHash: makeId("mark") },
        { email: waiting(email) },
      );
      await store.addSignInLinks(
        [{ purpose: "moderation", tokenHash: makeId("admin"), email, expiresAt: DAWN + HOUR }],
        await makeAnswer(store, waiting(email)),
        DAWN,
      );
      const slug = makeId("shelter");
      const contact = { address: null, hours: null, phone: null, page: null, logo: null };
      await store.saveOrganisation(
        { slug, name: "Paws", email, ...contact },
        { added: [{ email, role: "manager" }], removed: [] },
        true,
        DAWN,
      );
      await store.addSignInLinks(
        [{ purpose: "inbox", tokenHash: makeId("member"), email, expiresAt: DAWN + HOUR }],
        await makeAnswer(store, waiting(email)),
        DAWN,
      );
      await store.changeMembers(
        { added: [], removed: [] },
        {
          id: makeId("action"),
          at: DAWN,
          organisation: slug,
          who: email,
          act: "add_member",
          subject: "b…@e…",
        },
        false,
      );
      const others = await publishFor(store, BEN);
      await store.moderate(makeAction("hide", others.id, { who: email }));
      return { alert, away, zone, begun, got, asked };
    }

    test("erases exactly one spelling of a mailbox", async () => {
      const { alert, away } = await fill(ANNA);
      for (const other of OTHERS) await publishFor(store, other);
      for (const endpoint of ["phone", "laptop"]) await tellOwner(store, endpoint, alert.id);
      await tellOwner(store, "phone of another", away.id);

      expect(await store.dataInventory("nobody@example.org")).toEqual(NO_DATA);
      expect(await store.dataInventory(ANNA)).toEqual({
        alerts: 1,
        photos: 0,
        sightings: 0,
        conversations: 2,
        messages: 2,
        zones: 1,
        devices: 2,
        requests: 1,
        emails: 5,
        moderation: 2,
        memberships: 4,
      });
      const before = await Promise.all(OTHERS.map((other) => store.dataInventory(other)));

      for (const other of ["anna@example.org", "ANNA@example.org"]) {
        expect(await store.dataInventory(other)).toEqual(NO_DATA);
        expect(await store.alertsOwnedBy(other, 10)).toEqual([]);
        await erasePerson(store, other, DAWN + HOUR);
      }
      expect(await store.dataInventory(ANNA)).toMatchObject({ alerts: 1, zones: 1, requests: 1 });
      await erasePerson(store, ANNA, DAWN + HOUR);

      expect(await store.dataInventory(ANNA)).toEqual(NO_DATA);
      expect(await Promise.all(OTHERS.map((other) => store.dataInventory(other)))).toEqual(before);
    });

    test("removes its alerts as their owner would, and ends its zones and requests", async () => {
      const { alert, zone, asked } = await fill(ANNA);

      const erased = await erasePerson(store, ANNA, DAWN + HOUR);

      expect(erased).toMatchObject({ alerts: 1, zones: 1, requests: 1 });
      expect(await loadAlert(store, alert.id)).toMatchObject({
        status: "removed",
        name: null,
        ownerEmail: null,
        shortCode: alert.shortCode,
      });
      expect(await store.isShortCodeTaken(alert.shortCode)).toBe(true);
      expect(await store.linkTo("manage", alert.id)).toBeNull();
      expect(await store.zone(zone.zone.id)).toBeNull();
      expect(await store.link(zone.link.tokenHash, "unsubscribe")).toBeNull();
      expect(await store.pendingByToken(asked.pending.tokenHash)).toMatchObject({
        email: "",
        payload: null,
        expiresAt: DAWN + HOUR,
      });
      const changes = await store.changesSince(0, 100);
      expect(changes.zones).toEqual([{ kind: "drop", id: zone.zone.id }]);
      expect(changes.alerts).toContainEqual({
        kind: "drop",
        publishedAt: alert.publishedAt,
      });
    });

    test("erases its conversations and their emails to both sides, and no others", async () => {
      const { away, begun, got } = await fill(ANNA);
      const foreign = await write(away, "carl@example.org");

      expect((await store.conversationLinks(ANNA)).toSorted()).toEqual(
        [...begun.links, ...got.links].map(({ sealed }) => sealed).toSorted(),
      );
      await erasePerson(store, ANNA, DAWN + HOUR);

      for (const { conversation, links } of [begun, got]) {
        expect(await store.conversation(conversation.id)).toBeNull();
        expect(await store.messages(conversation.id, 10)).toEqual([]);
        for (const link of links)
          expect(await store.link(link.tokenHash, "conversation")).toBeNull();
      }
      expect(await store.conversation(foreign.conversation.id)).not.toBeNull();
      expect(await store.messages(foreign.conversation.id, 10)).toHaveLength(1);
      const due = await emailsDue(store);
      expect(due).toContain(foreign.email.id);
      expect(due).not.toContain(begun.email.id);
      expect(due).not.toContain(got.email.id);
      expect(await loadAlert(store, away.id)).toMatchObject({ status: "active", ownerEmail: BEN });
    });

    test("withdraws all emails to it, and only those", async () => {
      const { asked } = await fill(ANNA);
      const other = await addRequest(
        store,
        { email: BEN, addressHash: makeId("mark") },
        { email: waiting(BEN) },
      );

      await erasePerson(store, ANNA, DAWN + HOUR);

      const due = await emailsDue(store);
      expect(due).toContain(other.email.id);
      expect(due).not.toContain(asked.email.id);
    });

    test("erases the sign-in links of a moderator, and the name in the log", async () => {
      const tokenHash = makeId("admin");
      const key = { purpose: "moderation", tokenHash, email: ANNA, expiresAt: DAWN + DAY } as const;
      await store.addSignInLinks([key], await makeAnswer(store, waiting(ANNA)), DAWN);
      await store.openSession(
        "moderation",
        key.tokenHash,
        { tokenHash: "session", expiresAt: DAWN + DAY },
        DAWN,
      );
      const alert = await publishFor(store, BEN);
      await store.moderate(makeAction("hide", alert.id, { who: ANNA }));

      expect(await erasePerson(store, ANNA, DAWN + HOUR)).toMatchObject({ moderation: 2 });

      expect(await store.sessionMailbox("moderation", "session", DAWN + HOUR)).toBeNull();
      expect(await store.auditLog(10)).toEqual([
        { at: DAWN, who: NOBODY, act: "hide", shortCode: alert.shortCode },
      ]);
    });

    test("counts and frees the photos of its conversations, and of the sightings of its alerts", async () => {
      const [own, other] = [
        await publishFor(store, ANNA, { photos: [] }),
        await publishFor(store, BEN, { photos: [] }),
      ];
      await see(store, own, ["seen"]);
      await see(store, other, ["elsewhere"]);
      await relay(store, own, "stranger", { photos: ["sent"] });
      await relay(store, other, ANNA.replace("@example.org", ""), { photos: ["written"] });
      await relay(store, other, "stranger", { photos: ["kept"] });
      expect(await store.dataInventory(ANNA)).toMatchObject({ photos: 3 });

      await erasePerson(store, ANNA, DAWN);

      expect((await store.unusedPhotos(DAWN, 10)).sort()).toEqual(["seen", "sent", "written"]);
      const all = ["seen", "sent", "written", "elsewhere", "kept"];
      expect((await store.photosInUse(all)).sort()).toEqual(["elsewhere", "kept"]);
    });

    test("frees the photos of its alerts and requests", async () => {
      const draft = makePending().payload;
      if (draft?.kind !== "publish") throw new Error("not a publication");
      const payload = { ...draft, draft: { ...draft.draft, photos: ["asked"] } };
      await addRequest(store, { email: ANNA, payload, addressHash: makeId("mark") });
      await publishFor(store, ANNA, { photos: ["shown", "shared"] });
      await publishFor(store, BEN, { photos: ["shared"] });

      expect(await store.dataInventory(ANNA)).toMatchObject({ photos: 3 });
      await erasePerson(store, ANNA, DAWN + HOUR);

      expect((await store.unusedPhotos(DAWN, 10)).toSorted()).toEqual(["asked", "shown"]);
    });

    test("keeps the stop of emails to the address", async () => {
      const asked = await addRequest(store, { email: ANNA, addressHash: "anna" });
      await store.disownPending(asked.pending.id, "pressed", DAWN);

      await erasePerson(store, ANNA, DAWN + HOUR);

      const again = makeRequest({
        pending: makePending({ email: ANNA, addressHash: "anna" }),
        email: waiting(ANNA),
      });
      await store.addPending(again, DAWN + HOUR);
      expect(await emailsDue(store)).toEqual([]);
    });

    test("tells a mailbox that confirmed something from one with only unconfirmed requests", async () => {
      const known = () => store.mailboxStatus(ANNA);
      expect(await known()).toBe("none");
      const asked = await addRequest(store, { email: ANNA, addressHash: makeId("mark") });
      for (const other of OTHERS) await publishFor(store, other);
      expect(await known()).toBe("unconfirmed");

      await store.confirmPending(
        asked.pending.id,
        publicationOf(asked.pending, { ownerEmail: ANNA }),
        DAWN,
      );
      expect(await known()).toBe("confirmed");
      await erasePerson(store, ANNA, DAWN + HOUR);
      expect(await known()).toBe("none");
      await subscribe(store, { email: ANNA });
      expect(await known()).toBe("confirmed");
      await erasePerson(store, ANNA, DAWN + HOUR);
      await write(await publishFor(store, BEN), ANNA);
      expect(await known()).toBe("confirmed");
    });
  });
}
