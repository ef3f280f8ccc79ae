import { afterEach, beforeEach, expect, test } from "bun:test";
import { HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const SHELTER = "desk@shelter.example";
const CAT = {
  species: "cat",
  color: "tortoiseshell",
  breed: "Cornish Rex",
  size: "small",
  sex: "female",
  age: "adult",
} as const;
/** Places far enough apart for each to have its own animals. */
const place = (nth: number) => ({ lat: 44 + Math.floor(nth / 5) * 0.9, lng: 1 + (nth % 5) * 1.2 });

/** A read of a table with so many found animals, and these others. */
function sync(count: number, others: readonly object[] = []) {
  const row = (id: string, input: object) => ({
    id,
    input: { ...CAT, eventDate: "2026-05-01", ...input },
  });
  return world.app.operator.syncTable({
    mapping: "kennel",
    email: SHELTER,
    language: "en",
    rows: [
      ...Array.from({ length: count }, (_, nth) =>
        row(`F${nth}`, { type: "found", custody: "shelter", ...place(nth) }),
      ),
      ...others.map((input, nth) => row(`O${nth}`, input)),
    ],
    kept: [],
    isWhole: true,
    acceptMissing: false,
    dryRun: false,
  });
}
const matchEmails = async (to: string) =>
  (await world.emails(to)).filter((email) => email.text?.includes("/pair/"));

test("a shelter whose animals match six lost ones gets one email about all of them", async () => {
  for (let nth = 0; nth < 6; nth++)
    await world.publish({
      ...CAT,
      ...place(nth),
      type: "lost",
      event_date: "2026-04-30",
      email: `owner${nth}@example${nth}.org`,
    });
  await sync(12);

  await world.pass(3 * HOUR, HOUR / 4);

  const [email, ...more] = await matchEmails(SHELTER);
  expect(more).toEqual([]);
  expect(email?.subject).toBe("6 possible matches for your animals");
  expect(email?.text?.split("/pair/").length).toBe(7);
  for (let nth = 0; nth < 6; nth++)
    expect((await matchEmails(`owner${nth}@example${nth}.org`)).length).toBe(1);
}, 120_000);
