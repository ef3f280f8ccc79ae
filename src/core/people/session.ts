import { HOUR_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import type { Instance } from "../instance.ts";
import type { LinkStore, SessionPurpose } from "./link-store.ts";
import { newToken } from "./private-link.ts";

/** Lifetime of a session after its last action: a working day. */
export const SESSION_MS = 10 * HOUR_MS;

/** Sessions for one purpose, opened by sign-in links. */
export function createSessions(
  { store, secrets, random, clock }: SessionPorts,
  purpose: SessionPurpose,
) {
  const until = () => clock() + SESSION_MS;
  return {
    /** Opens a session with a sign-in link and returns its token. Throws `not_found` for a used or expired link. */
    async open(token: string): Promise<string> {
      const session = newToken(random);
      const key = { tokenHash: secrets.tokenHash(session), expiresAt: until() };
      if (!(await store.openSession(purpose, secrets.tokenHash(token), key, clock())))
        throw new Fault("not_found", { reason: "admin_link_spent" });
      return session;
    },
    /** Prolongs a session after an action. */
    async renew(session: string | null): Promise<void> {
      if (session !== null) await store.renewSession(secrets.tokenHash(session), until(), clock());
    },
    end: (session: string): Promise<void> => store.endSession(secrets.tokenHash(session)),
  };
}

type SessionPorts = Pick<Instance, "clock" | "random" | "secrets"> & {
  readonly store: Pick<LinkStore, "openSession" | "renewSession" | "endSession">;
};
