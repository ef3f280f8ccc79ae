import { describe, expect, test } from "bun:test";
import { makeAnswer } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, MINUTE } from "./time.ts";

/** Store contract: sign-in links and sessions of moderators. */
export function describeModeratorSignIn(): void {
  describe("a moderator's sign-in link", () => {
    const link = {
      purpose: "moderation",
      tokenHash: "link",
      email: "mod@example.org",
      expiresAt: DAWN + 30 * MINUTE,
    } as const;
    const session = { tokenHash: "session", expiresAt: DAWN + 50 * MINUTE };

    test("opens one session, the first time it is used", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);

      const opened = await Promise.all(
        ["one", "two", "three"].map((tokenHash) =>
          store.openSession("moderation", "link", { ...session, tokenHash }, DAWN),
        ),
      );

      expect(opened.filter(Boolean)).toHaveLength(1);
      expect(await store.sessionMailbox("moderation", "link", DAWN)).toBeNull();
    });

    test("and its session expire, or end when signed out; neither works as the other", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      expect(await store.sessionMailbox("moderation", "link", DAWN)).toBeNull();
      expect(await store.openSession("moderation", "link", session, link.expiresAt)).toBe(false);
      expect(await store.openSession("moderation", "link", session, link.expiresAt - 1)).toBe(true);
      expect(await store.openSession("moderation", "session", session, DAWN)).toBe(false);

      expect(await store.sessionMailbox("moderation", "session", session.expiresAt - 1)).toBe(
        link.email,
      );
      expect(await store.sessionMailbox("moderation", "session", session.expiresAt)).toBeNull();
      await store.endSession("session");
      expect(await store.sessionMailbox("moderation", "session", DAWN)).toBeNull();
    });

    test("has a session that can be renewed until it has ended, and not after", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      await store.openSession("moderation", "link", session, DAWN);
      await store.renewSession("session", DAWN + 90 * MINUTE, DAWN + 40 * MINUTE);
      expect(await store.sessionMailbox("moderation", "session", DAWN + 80 * MINUTE)).toBe(
        link.email,
      );

      await store.renewSession("session", DAWN + 300 * MINUTE, DAWN + 90 * MINUTE);
      expect(await store.sessionMailbox("moderation", "session", DAWN + 100 * MINUTE)).toBeNull();
      await store.renewSession("unknown", DAWN + 300 * MINUTE, DAWN);
      expect(await store.sessionMailbox("moderation", "unknown", DAWN)).toBeNull();
    });

    test("is deleted by the sweep once it has expired", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      const sweep = { before: DAWN, hitsBefore: DAWN, auditLogBefore: DAWN };
      await store.sweep({ now: link.expiresAt, ...sweep }, 10);

      // With the clock set back, only a deleted link stays invalid.
      expect(await store.openSession("moderation", "link", session, DAWN)).toBe(false);
    });
  });
}
