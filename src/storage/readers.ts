import type { Config } from "../settings/config.ts";
import { exportedAlerts } from "../core/alerts/export.ts";
import { importLinks } from "../core/tables/import-links.ts";
import { createLinks } from "../core/urls.ts";
import { openStorageToRead } from "./open.ts";
import { exportedOutcomes, exportedSteps } from "../core/outcomes/export.ts";
import type { OutboxState } from "../core/outbox-store.ts";

/** Opens the storage, which may be in use, for export. Throws `Fault` with a sentence when it cannot be read. */
export async function openExport(config: Config) {
  const { store } = await openStorageToRead(config);
  return {
    alerts: () => exportedAlerts({ store, links: createLinks(config.baseUrl) }),
    outcomes: (now: number) => exportedOutcomes(store, now),
    steps: (now: number) => exportedSteps(store, now),
    close: () => store.close(),
  };
}

/** Opens the storage, which may be in use, for the links of imported alerts. Throws `Fault` as `openExport` does. */
export async function openImportLinks(config: Config) {
  const { store, readSecrets } = await openStorageToRead(config);
  try {
    const ports = { store, links: createLinks(config.baseUrl), secrets: readSecrets() };
    return {
      linksFor: (email: string, mapping: string | null) => importLinks(ports, email, mapping),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Reads the outbox state of a storage, which may be in use. Throws `Fault` when it cannot be read. */
export async function readOutboxState(config: Config): Promise<OutboxState> {
  const { store } = await openStorageToRead(config);
  try {
    return await store.outboxState();
  } finally {
    await store.close();
  }
}
