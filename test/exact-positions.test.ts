import { expect, test } from "bun:test";
import { serviceInProcess } from "./fuzz/service.ts";
import { compareExactPositions } from "./fuzz/same-answers.ts";
import { isNightly, nightlyTest } from "./support/nightly.ts";
import { weakened } from "./chaos/weakened.ts";

// Where something happened is kept to about 1 km. So of two services whose alerts, sightings and zones lie elsewhere
// inside their cells, and that are alike in all else, nobody can tell which is which.

const SEED = 20_261_121;
const REQUESTS = isNightly ? 5_000 : 300;

test("two services that differ only within grid cells give identical responses and emails to random requests", async () => {
  const { answers, emails, difference } = await compareExactPositions(
    serviceInProcess,
    REQUESTS,
    SEED,
  );

  expect(difference).toBeNull();
  expect(answers).toBeGreaterThan(REQUESTS);
  expect(emails).toBeGreaterThan(REQUESTS / 25);
}, 600_000);

nightlyTest.each([
  [
    "the grid",
    {
      module: "src/values/point.ts",
      name: "snap",
      instead: "(lat, lng) => ({ ...original.snap(lat, lng), lat })",
    },
  ],
  // The points of zones are shown nowhere: the only difference is who gets an email.
  [
    "it for zones",
    {
      module: "src/core/pending/request.ts",
      name: "createRequests",
      instead: `(ports, ...rest) => ({
        ...original.createRequests(ports, ...rest),
        subscribe(input, caller) {
          const addPending = (request, now) => {
            request.pending.payload.zone.point = { lat: input.lat, lng: input.lng };
            return ports.store.addPending(request, now);
          };
          const exact = { ...ports, store: { ...ports.store, addPending } };
          return original.createRequests(exact, ...rest).subscribe(input, caller);
        },
      })`,
    },
  ],
])(
  "without %s they differ",
  async (_, weakening) => {
    const copy = await weakened(weakening);
    const service = await copy.load<typeof import("./fuzz/service.ts")>("test/fuzz/service.ts");

    const { difference } = await compareExactPositions(service.serviceInProcess, 300, SEED);

    expect(difference).toContain("the other:");
    copy.remove();
  },
  600_000,
);
