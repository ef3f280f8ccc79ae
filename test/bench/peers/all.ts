import type { Peer, PeerConnection, PeerName } from "./peer.ts";
import { connectPostgis, postgis } from "./postgis.ts";
import { connectRedis, redis } from "./redis.ts";
import { connectSqlite, sqlite } from "./sqlite.ts";

/** Every peer. */
export const PEERS: readonly Peer[] = [postgis, sqlite, redis];

/** Connects to a peer that was started. */
export function connect(name: PeerName, where: string): PeerConnection {
  switch (name) {
    case "postgis":
      return connectPostgis(where);
    case "sqlite":
      return connectSqlite(where);
    case "redis":
      return connectRedis(where);
  }
}
