import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { ImportStore } from "./imported-alert.ts";
import type { PullReport, TableList, TableStore } from "./table.ts";

/** Ports of the tables of organisations. */
export type Ports = Instance & {
  readonly store: ImportStore &
    TableStore &
    Pick<AlertStore, "alertsAfter" | "isShortCodeTaken"> &
    Pick<LinkStore, "linkTo"> &
    Pick<OrganisationStore, "organisations">;
  readonly gazetteer: Gazetteer;
  readonly tableList: TableList;
  /** Called after every pull that the service made by itself. */
  readonly onTableRead: (report: PullReport) => void;
  /** Mailboxes of the operator; those of the moderators if the operator publishes none. */
  readonly operatorEmails: readonly string[];
};
