import { bytesIn } from "../support/disk.ts";
import { createWorld, form, linkIn, type World } from "../support/world.ts";
import type { Fault } from "./fault.ts";

/** Erased, and everybody else's, which must stay. */
const ERASED = [
  "canary-owner",
  "canary-description",
  "canary-stranger",
  "canary-message",
  "canary-answer",
];
const KEPT = "canary-bystander";

/** Every byte of the data folder is read after somebody took back what they said. */
export const erasure: Fault = {
  name: "a byte scan after erasing",
  promise: "what an owner removes is no longer on the disk",
  async run() {
    const left = await leftAfterRemoval();
    return {
      tried: `${ERASED.length} canaries, every byte of the data folder`,
      lost: `${left.length} left`,
      failures: left.map((canary) => `${canary} is still on the disk, or was never`),
    };
  },
};

/** The canaries that are where they should not be. */
async function leftAfterRemoval(): Promise<string[]> {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  try {
    // Enough around it that pages are shared and freed.
    for (let nth = 0; nth < 30; nth++)
      await world.publish({
        email: `${KEPT}-${nth}@example.org`,
        name: `Cat ${nth}`,
        description: "x".repeat(800),
      });
    await world.publish({
      email: "canary-owner@example.org",
      description: `canary-description ${"y".repeat(900)}`,
    });
    const [alert] = (await world.json("/api/v1/alerts")).alerts;
    await world.tool("send_message", {
      alert: alert.id,
      message: "canary-message",
      email: "canary-stranger@example.org",
    });
    await world.confirm("canary-stranger@example.org");
    const link = async (part: string) =>
      linkIn(
        (await world.emails("canary-owner@example.org")).findLast((email) =>
          email.text?.includes(part),
        ),
        part,
      );
    await world.fetch(await link("/conversation/"), {
      method: "POST",
      ...form({ message: "canary-answer" }),
    });
    await world.tick();
    const unplaced = ERASED.filter((canary) => !bytesIn(world.dataDir).includes(canary));

    await world.fetch(`${await link("/manage/")}/remove`, { method: "POST", ...form({}) });

    return [
      ...unplaced,
      ...ERASED.filter((canary) => bytesIn(world.dataDir).includes(canary)),
      ...lostBystanders(world),
    ];
  } finally {
    await world.end();
  }
}

function lostBystanders(world: World): string[] {
  return bytesIn(world.dataDir).includes(KEPT) ? [] : [KEPT];
}
