import { test } from "bun:test";
import { createWorld, LOST_CAT } from "../support/world.ts";

const WALK = process.env["WALK"];

test("one request passes through the program", async () => {
  const world = await createWorld();
  const { lat, lng } = LOST_CAT;
  switch (WALK) {
    case "search":
      await world.json(`/api/v1/alerts?lat=${lat}&lng=${lng}&radius_km=10`);
      break;
    case "publication":
      await world.tool("publish_alert", LOST_CAT);
      break;
    case "alert":
    case "matches": {
      const { id } = await world.publish();
      await world.publish({ type: "found", email: "finder@example.net" });
      if (WALK === "matches") await world.tool("find_matches", { alert: id });
      break;
    }
    default:
  }
  await world.end();
});
