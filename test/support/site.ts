import { createLinks } from "../../src/core/links.ts";
import type { Site } from "../../src/http/app.ts";
import { createTraffic } from "../../src/http/traffic.ts";
import { MINUTE } from "./time.ts";
import { BASE_URL, type World } from "./world.ts";

/** What the doors of a world are opened with, for tests that look at the doors themselves. */
export function siteOf(world: World, baseUrl = BASE_URL): Site {
  return {
    service: world.app.service,
    links: createLinks(baseUrl),
    baseUrl,
    siteName: "Pet Alert",
    tiles: null,
    isModerated: false,
    version: "9.8.7",
    trustProxy: 0,
    rates: { publish: null, message: null, zone: null, sighting: null },
    limitRead: { max: 300, windowMs: MINUTE },
    backupKeep: 3,
    sharedNetworks: [],
    allowedOrigins: [],
    clock: world.now,
    traffic: createTraffic({
      dice: world.app.dice,
      stopwatch: () => 0,
      logged: "off",
      log: () => {},
    }),
    metrics: { gather: async () => [], isPublic: false },
    heldBack: () => {},
    log: () => {},
  };
}
