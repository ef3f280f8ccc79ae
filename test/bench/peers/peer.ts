import { distanceKm, type Point } from "../../../src/values/point.ts";
import { isoTime } from "../../../src/http/api/alert-json.ts";
import { PAGE, type Question } from "../questions.ts";

/** What people would use instead: the same alerts, the same questions, the same answers. */
export type Peer = {
  readonly title: string;
  /** The ways it is asked, each a contender. */
  readonly names: readonly PeerName[];
  /** Whether it can be asked for words. */
  readonly knowsWords: boolean;
  /** The Debian packages it needs that are not there. */
  missing(): readonly string[];
  /** Starts what it runs on, with the alerts of a data folder loaded; they are loaded once, beside the folder. */
  start(folder: string): Promise<RunningPeer>;
};
export type PeerName = "postgis" | "sqlite" | "redis";

export type RunningPeer = {
  /** What `open` of the peer needs to find it: a file or a socket. */
  readonly where: string;
  readonly stop: () => Promise<void>;
};

/** A connection to a peer, in the process that asks. */
export type PeerConnection = {
  /** The body of the answer, byte for byte as the REST interface gives it. */
  answer(question: Question): Promise<string>;
  close(): Promise<void>;
};

/** An alert as a peer's query gives it back. */
export type FoundRow = {
  readonly publishedAt: number;
  readonly lat: number;
  readonly lng: number;
  readonly json: string;
};

/** A page asks for one alert more than it shows: that one tells whether another page follows. */
export const FETCHED = PAGE + 1;

/** The body of an answer from the newest rows that fit, newest first, at most `FETCHED` of them. */
export function pageOf(rows: readonly FoundRow[], question: Question): string {
  const shown = rows.slice(0, PAGE);
  const centre = centreOf(question);
  const alerts = shown.map((row) => (centre === null ? row.json : withDistance(row, centre)));
  const last = rows.length > PAGE ? shown.at(-1) : undefined;
  const next = last === undefined ? "null" : `"${isoTime(last.publishedAt)}"`;
  return `{"alerts":[${alerts.join(",")}],"next_cursor":${next}}`;
}

export function centreOf({ lat, lng }: Question): Point | null {
  return lat === undefined || lng === undefined ? null : { lat, lng };
}

function withDistance({ json, lat, lng }: FoundRow, centre: Point): string {
  const km = Math.round(distanceKm(centre, { lat, lng }) * 10) / 10;
  return `${json.slice(0, -1)},"distance_km":${km}}`;
}
