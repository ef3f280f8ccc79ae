import { expect, test } from "bun:test";
import { createSecrets } from "../../src/ops/secrets.ts";
import type { SealPurpose } from "../../src/core/instance.ts";

const PURPOSES = [
  "manage",
  "conversation",
  "unsubscribe",
  "pair",
  "admin",
  "inbox",
  "erase",
  "confirm",
  "waiting",
  "link-request",
  "device",
] as const satisfies readonly SealPurpose[];

const key = new Uint8Array(32).fill(7);
const secrets = createSecrets(key);

test("a text that was sealed for one purpose opens for that purpose alone", () => {
  for (const purpose of PURPOSES) {
    const sealed = secrets.seal(purpose, "token");
    const opened = PURPOSES.filter((other) => secrets.unseal(other, sealed) === "token");

    expect(opened).toEqual([purpose]);
    expect(PURPOSES.filter((other) => secrets.unseal(other, sealed) !== null)).toEqual([purpose]);
  }
});

test("a sealed text opens after a restart, and not with another key or once it was changed", () => {
  const sealed = secrets.seal("manage", "token");
  const bytes = Buffer.from(sealed, "base64url");

  expect(createSecrets(key).unseal("manage", sealed)).toBe("token");
  expect(createSecrets(new Uint8Array(32).fill(8)).unseal("manage", sealed)).toBeNull();
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(secrets.unseal("manage", changed.toString("base64url"))).toBeNull();
  }
});
