import { PNG } from "pngjs";
import type { Parts } from "../../src/start.ts";
import { createWorld, type World } from "../support/world.ts";
import { MODERATOR } from "./user-actions.ts";

export type Site = Awaited<ReturnType<typeof openSite>>;

export type Sent = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

const LOOPBACK = "127.0.0.1";
const TILE_PIXELS = 256;

/**
 * A whole service in memory that a browser can reach, with a server of map tiles beside it, each on a loopback port
 * of its own. Nobody is limited. It lies under a path, such as "/pets". `settings` are environment variables, `parts` stand
 * in for the real ones. Call `end()` when done.
 */
export async function openSite(
  settings: Readonly<Record<string, string>> = {},
  path = "",
  parts: Parts = {},
) {
  const tiles = serveTiles();
  const sent: Sent[] = [];
  const server = Bun.serve({
    hostname: LOOPBACK,
    port: 0,
    development: false,
    async fetch(request, socket) {
      const { url, headers } = request;
      const caller = socket.requestIP(request)?.address ?? null;
      sent.push({ url, headers, body: await request.clone().bytes() });
      return world.app.fetch(request, caller);
    },
  });
  const origin = `http://${LOOPBACK}:${server.port}`;
  const world: World = await createWorld(
    {
      BASE_URL: `${origin}${path}`,
      TILE_URL: `${tiles.origin}/{z}/{x}/{y}.png`,
      LIMIT_PUBLISH: "off",
      LIMIT_MESSAGE: "off",
      LIMIT_SUBSCRIBE: "off",
      // Callers of one network have more of the limits that are no setting.
      SHARED_EGRESS: `${LOOPBACK}/32`,
      ADMIN_EMAILS: MODERATOR,
      OPERATOR_NAME: "Refuge des Monts d’Or",
      OPERATOR_CONTACT: "contact.de.tous.les.benevoles@refuge-des-monts-d-or.example",
      OPERATOR_ADDRESS: "1 rue du Parc, 69450 Saint-Cyr-au-Mont-d’Or, France",
      LEGAL_FILE: Bun.fileURLToPath(new URL("legal.txt", import.meta.url)),
      ...settings,
    },
    parts,
  );
  return {
    world,
    /** Base URL. */
    origin,
    tiles: tiles.origin,
    /** All that browsers asked of it so far. */
    sent: sent as readonly Sent[],
    async end() {
      await server.stop(true);
      await tiles.end();
      await world.end();
    },
  };
}

/** Every tile of the world is the same: land without anything on it. */
function serveTiles() {
  const tile = new PNG({ width: TILE_PIXELS, height: TILE_PIXELS });
  for (let at = 0; at < tile.data.length; at += 4) tile.data.set([222, 232, 214, 255], at);
  const png = new Uint8Array(PNG.sync.write(tile));
  const server = Bun.serve({
    hostname: LOOPBACK,
    port: 0,
    fetch: () => new Response(png, { headers: { "Content-Type": "image/png" } }),
  });
  return { origin: `http://${LOOPBACK}:${server.port}`, end: () => server.stop(true) };
}
