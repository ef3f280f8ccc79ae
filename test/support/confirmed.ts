import type { Alert } from "../../src/core/alert.ts";
import type { Store } from "../../src/core/store.ts";
import type { Zone } from "../../src/core/zone.ts";
import { makeAsk, makeLink, makePending, makeZone, publicationOf } from "./make.ts";
import { DAWN } from "./time.ts";

/** An alert that was asked for and confirmed. */
export async function publish(
  store: Store,
  about: Partial<Alert> = {},
  now = DAWN,
): Promise<Alert> {
  const ask = makeAsk();
  await store.ask(ask, now);
  const effect = publicationOf(ask.pending, about);
  const outcome = await store.settle(ask.pending.id, effect, now);
  if (outcome.kind !== "won") throw new Error(`not published: ${outcome.kind}`);
  return look(store, effect.alert.id);
}

/** An alert as it is now. */
export async function look(store: Store, id: string): Promise<Alert> {
  const alert = await store.alert({ by: "id", id });
  if (alert === null) throw new Error("no such alert");
  return alert;
}

/** A zone that was asked for and confirmed, and the link that ends it. */
export async function subscribe(store: Store, about: Partial<Zone> = {}) {
  const zone = makeZone(about);
  const pending = makePending({
    kind: "zone",
    names: null,
    payload: { kind: "zone", zone },
    addressMark: zone.email,
  });
  await store.ask(makeAsk({ pending }), DAWN);
  const link = makeLink({ purpose: "unsubscribe", subject: `zone:${zone.id}` });
  await store.settle(
    pending.id,
    { result: { kind: "zone", zoneId: zone.id }, zone, links: [link], letters: [] },
    DAWN,
  );
  return { zone, link };
}
