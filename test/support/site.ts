import { LANGUAGES } from "../../src/messages/languages.ts";
import { NO_THEME } from "../../src/http/web/assets/theme.ts";
import { createLinks } from "../../src/core/urls.ts";
import type { AppOptions } from "../../src/http/app.ts";
import { createFormReader } from "../../src/photos/uploaded-form.ts";
import { createRequestLog } from "../../src/http/middleware/request-log.ts";
import { MINUTE } from "./time.ts";
import { BASE_URL, type World } from "./world.ts";

/** Options of the HTTP app, for tests of the app itself. */
export function siteOf(world: World, baseUrl = BASE_URL): AppOptions {
  return {
    service: world.app.service,
    isReady: () => true,
    links: createLinks(baseUrl),
    baseUrl,
    siteName: "Pet Alert",
    tiles: null,
    isModerated: false,
    theme: NO_THEME,
    languages: LANGUAGES,
    version: "9.8.7",
    trustProxy: 0,
    onUnreadAddress: () => {},
    rates: { publish: null, message: null, zone: null, sighting: null },
    limitRead: { max: 300, windowMs: MINUTE },
    legal: {
      operator: null,
      additions: [],
      hasMailServer: false,
      readsBounces: false,
      readsReplies: false,
      isBehindProxy: false,
      backupKeep: 3,
      backupCopy: null,
    },
    sharedNetworks: [],
    allowedOrigins: [],
    drawPreview: () => Promise.reject(new Error("not drawn here")),
    pushKey: "",
    clock: world.now,
    requestLog: createRequestLog({
      random: world.app.random,
      stopwatch: () => 0,
      logged: "off",
      log: () => {},
    }),
    readMultipart: createFormReader({
      folder: world.dataDir,
      freeBytes: async () => 1e12,
      random: world.app.random,
    }),
    metrics: { gather: async () => [], isPublic: false, token: null },
    onRateLimited: () => {},
    log: () => {},
  };
}
