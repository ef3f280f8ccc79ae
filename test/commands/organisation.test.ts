import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { organisation } from "../../src/commands/organisation.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { jpeg } from "../support/picture.ts";
import { openShell, type Shell } from "./shell.ts";

let shell: Shell;
beforeEach(async () => {
  shell = openShell();
  await shell.look(({ service, clock }) =>
    service.alerts.add([
      makeBulk({ draft: makeDraft(), ownerEmail: "shelter@example.org", expiresAt: clock() + 1e9 }),
    ]),
  );
});
afterEach(() => shell.end());

const ADD = [
  "add",
  "happy-paws",
  "--name",
  "Happy Paws",
  "--email",
  "shelter@example.org",
  "--address",
  "12 rue des Lilas\nLyon",
  "--phone",
  "+33 4 78 00 00 00",
  "--member",
  "anna@example.org:manager",
  "--member",
  "ben@example.org",
];

describe("organisation, while nothing runs", () => {
  test("adds, lists, edits and removes a shelter, and counts its alerts", async () => {
    const added = await shell.run(organisation, ADD);
    expect(added.code).toBe(0);
    expect(added.said).toContain("happy-paws: Happy Paws, 1 active alert");
    expect(added.said).toContain("address: 12 rue des Lilas, Lyon");
    expect(added.said).toContain("members: anna@example.org (manager), ben@example.org (staff)");

    const logo = await shell.write("logo.jpg", await jpeg({ width: 40, height: 40 }));
    const edited = await shell.run(organisation, [
      "edit",
      "happy-paws",
      "--name",
      "Paws",
      "--phone",
      "",
      "--logo",
      logo,
      "--remove-member",
      "ben@example.org",
    ]);
    expect(edited.said).toContain("happy-paws: Paws, 1 active alert");
    expect(edited.said).not.toContain("phone");
    expect(edited.said).toContain("members: anna@example.org (manager)\n".trim());
    expect((await shell.run(organisation, ["list"])).said).toBe(edited.said);

    const kept = await shell.run(organisation, ["remove", "happy-paws"], { answer: "n" });
    expect([kept.code, kept.said]).toEqual([1, "Nothing was changed."]);
    await shell.run(organisation, ["remove", "happy-paws", "--yes"]);
    expect((await shell.run(organisation, ["list"])).said).toBe("No organisations.");
  });

  test("says what is wrong with an argument", async () => {
    const refused = (args: readonly string[]) => shell.failing(organisation, args);

    expect(await refused([])).toContain("Usage:");
    expect(await refused(["add", "happy-paws"])).toContain("needs --name");
    expect(await refused(["add", "Happy Paws", "--name", "x"])).toContain(
      "slug must be lower-case letters",
    );
    expect(await refused([...ADD, "--page", "paws"])).toContain("page must be the address");
    expect(await refused([...ADD, "--phone", "call us"])).toContain("phone must be a telephone");
    expect(await refused([...ADD, "--member", "x@example.org:boss"])).toContain(
      "must be staff or manager",
    );
    expect(await refused([...ADD, "--logo", "missing.png"])).toContain("cannot be read (ENOENT)");
    expect(await refused(["edit", "nobody"])).toContain('no organisation "nobody"');
    expect(await refused(["remove", "nobody", "--yes"])).toContain('no organisation "nobody"');
  });
});
