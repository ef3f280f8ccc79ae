import { type Alert, type AlertRef, alertRef, faceOf, type PublicAlert } from "./alert.ts";
import { createAsking } from "./asking.ts";
import { type CatchUp, createCatchingUp } from "./catching-up.ts";
import { createConfirming } from "./confirming.ts";
import { createConversing } from "./conversing.ts";
import type { MessageInput } from "./conversation.ts";
import { createDesk } from "./desk.ts";
import { createAnswering } from "./discreet-link.ts";
import { createErasing } from "./erasing.ts";
import { createFaces } from "./faces.ts";
import { Fault } from "./fault.ts";
import type { Caller } from "./limit.ts";
import { createStanding } from "./match/standing.ts";
import { createMatching, type Matches, type MatchesInput } from "./matching.ts";
import { createModerating } from "./moderating.ts";
import { createOperating } from "./operating.ts";
import { createOwning } from "./owning.ts";
import { distanceKm, type Point } from "./place.ts";
import { createPicturing } from "./picturing.ts";
import type { Ports } from "./ports.ts";
import type { ReportInput } from "./report.ts";
import { keepReport } from "./reporting.ts";
import {
  SIGHTINGS_SHOWN,
  type SightingFace,
  sightingFace,
  type SightingInput,
} from "./sighting.ts";
import { indexQuery, type SearchInput, type SearchPage } from "./search.ts";
import type { BulkAlert, LearnedChange } from "./store.ts";
import { createTicking } from "./ticking.ts";
import { createTowns } from "./towns.ts";
import { createWaiting } from "./waiting.ts";

/** The verbs, gathered. Every door goes through these, and gets public faces only. */
export type Service = ReturnType<typeof createService>["service"];
/** The operator's verbs, which ask nobody who they are: for the machine's own shell, and no door of the network. */
export type Operator = ReturnType<typeof createService>["operator"];

export function createService(ports: Ports) {
  const standing = createStanding();
  const { matches, ...pairing } = createMatching(ports, standing);
  const faces = createFaces(ports);
  const learnAll = createCatchingUp(ports, {
    active(alerts) {
      faces.forgetAll();
      for (const alert of alerts) standing.put(alert.publishedAt, alert);
      ports.alertIndex.apply(
        alerts.map((alert) => ({ kind: "put", alert })),
        { more: true },
      );
    },
    zones: (zones) => ports.zoneIndex.apply(zones.map((zone) => ({ kind: "put", zone }))),
    changes({ alerts, zones, more }) {
      for (const change of alerts) learn(change);
      ports.alertIndex.apply(alerts, { more });
      ports.zoneIndex.apply(zones);
    },
  });

  /** What could not be learned may be of any alert. */
  const catchUp: CatchUp = () =>
    learnAll().catch((error: unknown) => {
      faces.forgetAll();
      throw error;
    });

  function learn(change: LearnedChange): void {
    const key = change.kind === "put" ? change.alert.publishedAt : change.publishedAt;
    pairing.forget(key);
    faces.forget(key);
    if (change.kind === "put") standing.put(key, change.alert);
    else standing.drop(key);
  }

  async function lookUp(name: string): Promise<Alert | null> {
    const ref = alertRef(name);
    if (ref === null) return null;
    const known = await ports.store.alert(ref);
    if (known !== null || ref.by !== "slug") return known;
    // A slug may have changed when its owner corrected the name; the code at its end has not.
    const atEnd = alertRef(name.slice(name.lastIndexOf("-") + 1));
    return atEnd?.by === "code" ? ports.store.alert(atEnd) : null;
  }

  const picturing = createPicturing(ports);
  const asking = createAsking(ports, picturing);
  const desk = createDesk(ports, catchUp);
  const { holdings, erasePerson, sendErasureLink, ...erasing } = createErasing(
    ports,
    catchUp,
    picturing,
  );
  const { sendWayIn, ...moderating } = createModerating(ports, desk);
  const answerAsks = createAnswering(ports, { admin: sendWayIn, erase: sendErasureLink });
  const operator = { holdings, erasePerson, ...createOperating(desk, lookUp) };
  const service = {
    catchUp,
    ...createTicking(ports, catchUp, pairing.compareNew, picturing, answerAsks),
    pair: pairing.pair,
    notMyPet: pairing.notMyPet,
    ...createConfirming(ports, catchUp, picturing),
    ...createOwning(ports, catchUp, picturing),
    ...createConversing(ports),
    ...moderating,
    ...erasing,
    ...createWaiting(ports),
    ...createTowns(ports),
    keepPhoto: picturing.keepPhoto,
    photo: picturing.photo,
    draftPhoto: picturing.draftPhoto,
    thumbnailOf: picturing.thumbnailOf,
    likely: pairing.likely,
    publish: asking.publish,
    subscribe: asking.subscribe,

    async message(input: MessageInput, caller: Caller) {
      const alert = await lookUp(input.alert);
      if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
      return asking.message(input, alert, caller);
    },

    /** Tells that the animal of an alert was seen. Throws `not_found`, and see `createAsking`. */
    async sight(input: SightingInput, caller: Caller) {
      const alert = await lookUp(input.alert);
      if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
      return asking.sighting(input, alert, caller);
    },

    /** Where and when an animal was seen, the last first; none once it is home. */
    async sightings(alert: PublicAlert): Promise<SightingFace[]> {
      if (alert.status === "resolved") return [];
      const seen = await ports.store.sightings(alert.id, SIGHTINGS_SHOWN);
      return seen.map((one) => sightingFace(one, alert, ports.gazetteer));
    },

    /** Tells the moderators of an alert. Throws `not_found`, `gone` and `too_many`. */
    async report(input: ReportInput, caller: Caller): Promise<void> {
      const { id } = faceOf(await lookUp(input.alert), ports.links);
      await keepReport(ports, { alertId: id, conversationId: null }, input, caller);
    },

    /** Live alerts, newest first. Throws `bad_input` where parts of the query do not fit together. */
    async search(input: SearchInput): Promise<SearchPage> {
      const query = indexQuery(input);
      const keys = ports.alertIndex.search(query);
      const shown = keys.slice(0, query.limit - 1);
      const live = await faces.byKeys(shown);
      const alerts = live.map((alert) => ({
        alert,
        distanceKm: query.near === null ? null : distanceShown(query.near.point, alert),
      }));
      return { alerts, nextCursor: keys.length > shown.length ? (shown.at(-1) ?? null) : null };
    },

    /** One alert, by UUID, slug, short code or page address. Throws `not_found` and `gone`. */
    get: (name: string): Promise<PublicAlert> => faces.byName(name, lookUp),

    /** The likeliest other halves of an alert. Throws `not_found` and `gone`. */
    matches: async ({ alert, ...rest }: MatchesInput): Promise<Matches> =>
      matches(await lookUp(alert), rest),

    /** Whether a short code was ever given out: its QR image exists from then on. */
    async codeTaken(code: string): Promise<boolean> {
      const ref: AlertRef | null = alertRef(code);
      return ref?.by === "code" && (await ports.store.codeTaken(ref.code));
    },

    /** Adds alerts the operator vouches for, each once by its source; gives the sources that were new. */
    async addAlerts(alerts: readonly BulkAlert[]): Promise<string[]> {
      const added = await ports.store.addAlerts(alerts, ports.clock());
      await catchUp();
      return added;
    },

    state: async () => ({
      activeAlerts: ports.alertIndex.size,
      zones: ports.zoneIndex.size,
      storeAnswers: await ports.store.alive(),
    }),
  };
  return { service, operator };
}

/** In km with one decimal. */
function distanceShown(centre: Point, alert: PublicAlert): number {
  return Math.round(distanceKm(centre, alert) * 10) / 10;
}
