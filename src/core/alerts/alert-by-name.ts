import type { AlertStore, NamedAlertStore } from "./alert-store.ts";
import type { Clock } from "../instance.ts";
import type { Alert } from "./alert.ts";
import { alertRef, type AlertRef } from "./alert-ref.ts";
import { Fault } from "../fault.ts";

/**
 * Alert of any status by UUID, slug, short code or page address. Throws `not_found`, which tells a publication that waits
 * for its confirmation from a name that was never issued; that a short code was issued, its QR image tells as well.
 */
export async function requireAlertNamed(
  { store, clock }: { readonly store: NamedAlertStore; readonly clock: Clock },
  name: string,
): Promise<Alert> {
  const alert = await findAlert(store, name);
  if (alert !== null) return alert;
  const ref = alertRef(name);
  const request = ref === null ? null : await publicationOf(store, ref);
  if (request === null) throw new Fault("not_found", { reason: "alert_unknown" });
  const { state, payload, expiresAt } = request;
  const isWaiting = state === "waiting" && payload !== null && expiresAt > clock();
  const reason = isWaiting ? "alert_waiting" : "alert_unconfirmed";
  throw new Fault("not_found", { reason });
}

async function publicationOf(store: NamedAlertStore, ref: AlertRef) {
  switch (ref.by) {
    case "id":
      return store.publicationNamed({ id: ref.id });
    case "code":
      return store.publicationNamed({ shortCode: ref.code });
    case "slug": {
      const shortCode = codeAtEnd(ref.slug);
      return shortCode === null ? null : store.publicationNamed({ shortCode });
    }
  }
}

/** Alert of any status by UUID, slug, short code or page address. */
export async function findAlert(
  store: Pick<AlertStore, "alert">,
  name: string,
): Promise<Alert | null> {
  const ref = alertRef(name);
  if (ref === null) return null;
  const alert = await store.alert(ref);
  if (alert !== null || ref.by !== "slug") return alert;
  // A slug changes when its owner corrects the name; the short code at its end does not.
  const code = codeAtEnd(ref.slug);
  return code === null ? null : store.alert({ by: "code", code });
}

function codeAtEnd(slug: string): string | null {
  const ref = alertRef(slug.slice(slug.lastIndexOf("-") + 1));
  return ref?.by === "code" ? ref.code : null;
}
