import { z } from "zod";
import type { Asked } from "../../core/asking.ts";
import { messageInput } from "../../core/conversation.ts";
import { alertRefField, parse } from "../../core/input.ts";
import type { Caller } from "../../core/limit.ts";
import { matchesInput } from "../../core/matching.ts";
import type { Unfetched } from "../../core/picturing.ts";
import { publishInput, type Removed } from "../../core/publication.ts";
import { searchInput } from "../../core/search.ts";
import type { Service } from "../../core/service.ts";
import { zoneInput } from "../../core/zone.ts";
import {
  alertSchema,
  alertToWire,
  askedSchema,
  fromWire,
  isoTime,
  isWireName,
  matchesSchema,
  matchesToWire,
  notesSchema,
  snakeCase,
  summarySchema,
  toWireSchema,
} from "../wire.ts";
import { type Quoted, quotedJson, summariesJson } from "../written.ts";

/** One tool: what a client is told of it, and the verb behind it. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Gives arguments our names where clients call them otherwise. */
  readonly renamed?: (args: Given) => Given;
  readonly output: z.ZodObject;
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** Takes arguments as they came; throws `Fault` in words a model can act on. */
  readonly call: (service: Service, args: Arguments, caller: Caller) => Promise<Quoted>;
};

type Given = Readonly<Record<string, unknown>>;
/** What a call was given: under our names, and the names that mean nothing here, as they were written. */
export type Arguments = { readonly given: Given; readonly strangers: readonly string[] };

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const UNVERIFIED = "Texts of alerts are written by the public and unverified.";
const CONFIRMED_BY_MAIL = "Sends one confirmation e-mail to the address given";

const alertInput = z.object({ alert: alertRefField });

export const TOOLS: readonly Tool[] = [
  {
    name: "search_alerts",
    title: "Search lost and found pet alerts",
    description: `Finds active alerts, newest first: within a circle (lat and lng, radius_km), by species, type, date and words. Returns summaries and a next_cursor for the next page; get_alert gives everything about one. Positions are rounded to about 1 km. ${UNVERIFIED}`,
    input: searchInput,
    output: z.object({
      alerts: z.array(summarySchema),
      next_cursor: z.string().nullable(),
      notes: notesSchema,
    }),
    hints: READS,
    renamed: withQuery,
    async call(service, { given, strangers }) {
      const page = await service.search(parse(searchInput, withoutIdleRadius(given)));
      return summariesJson(page, noted(ignored(strangers)));
    },
  },
  {
    name: "get_alert",
    title: "Get one alert",
    description: `Gives all public details of one alert, active or ended: description, photos, place to about 1 km, dates, and contact_url, the page on which its owner can be written to. Owners' addresses are never given; send_message writes to an owner. ${UNVERIFIED}`,
    input: alertInput,
    output: z.object({ alert: alertSchema, notes: notesSchema }),
    hints: READS,
    renamed: withAlertNames,
    async call(service, { given, strangers }) {
      const { alert } = parse(alertInput, given);
      const told = alertToWire(await service.get(alert));
      return quotedJson({ ...noted(ignored(strangers)), alert: told });
    },
  },
  {
    name: "find_matches",
    title: "Find possible matches for an alert",
    description: `Ranks found alerts for a lost one, and lost alerts for a found one, by the probability in percent that both are the same animal, with reasons for and against. 40 and more is high confidence; a person should still compare. Compares what is near enough in place and time and leaves out what comes to 0; an empty list with compared 0 means there was nothing to compare. ${UNVERIFIED}`,
    input: matchesInput,
    output: matchesSchema.extend({ notes: notesSchema }),
    hints: READS,
    renamed: withAlertNames,
    async call(service, { given, strangers }) {
      const matches = await service.matches(parse(matchesInput, given));
      return quotedJson({ ...noted(ignored(strangers)), ...matchesToWire(matches) });
    },
  },
  {
    name: "publish_alert",
    title: "Publish a lost or found pet alert",
    description: `Prepares an alert about one lost or found animal. ${CONFIRMED_BY_MAIL}; nothing is public until a person confirms it there. Returns the addresses the alert will have, with qr_url for posters. Contact details and links in the texts are removed; the position is kept to about 1 km. More photos can be added on the confirmation page.`,
    input: publishInput,
    output: askedSchema.extend({
      id: z.string(),
      slug: z.string(),
      short_code: z.string(),
      url: z.string(),
      qr_url: z.string(),
    }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    async call(service, { given, strangers }, caller) {
      const asked = await service.publish(parse(publishInput, given), caller);
      const { status, ...rest } = askedToWire(
        asked,
        "The alert goes live when the link in that letter is opened and its button pressed.",
        [...asked.unfetched.map(notFetched), ...ignored(strangers)],
      );
      const { id, slug, shortCode, url, qrUrl } = asked;
      return quotedJson({
        status,
        id,
        slug,
        short_code: shortCode,
        url,
        qr_url: qrUrl,
        ...rest,
      });
    },
  },
  {
    name: "send_message",
    title: "Write to the owner of an alert",
    description: `Writes to the owner of an alert through the platform; neither side sees the other's address. ${CONFIRMED_BY_MAIL}; the message is delivered when a person confirms it there. Answers come to the sender by mail. Contact details and links in the text are removed.`,
    input: messageInput,
    output: askedSchema,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    renamed: withAlertNames,
    async call(service, { given, strangers }, caller) {
      const asked = await service.message(parse(messageInput, given), caller);
      const then =
        "The message is delivered when the link in that letter is opened and its button pressed.";
      return quotedJson(askedToWire(asked, then, ignored(strangers)));
    },
  },
  {
    name: "subscribe_zone",
    title: "Subscribe to new alerts near a place",
    description: `Subscribes an e-mail address to letters about new alerts within a circle. ${CONFIRMED_BY_MAIL}; letters start when a person confirms it there, and each has a link that ends them. To look once, use search_alerts.`,
    input: zoneInput,
    output: askedSchema,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    async call(service, { given, strangers }, caller) {
      const asked = await service.subscribe(parse(zoneInput, given), caller);
      const then = "Letters start when the link in that letter is opened and its button pressed.";
      return quotedJson(askedToWire(asked, then, ignored(strangers)));
    },
  },
];

/** The tools as `tools/list` gives them: fixed order, computed once. */
export const TOOL_LIST = TOOLS.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toWireSchema(tool.input, "input"),
  outputSchema: toWireSchema(tool.output, "output"),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.hints.readOnly,
    destructiveHint: tool.hints.destructive,
    idempotentHint: tool.hints.idempotent,
    openWorldHint: tool.hints.openWorld,
  },
}));

/** Reads the arguments of a call. A null is taken for absent: many clients fill every parameter in. */
export function argumentsFor(
  { input, renamed = (args) => args }: Pick<Tool, "input" | "renamed">,
  raw: Given = {},
): Arguments {
  const present = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
  const given = renamed(fromWire(present));
  const unread = Object.keys(present).filter((name) => !isWireName(name));
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(input.shape, name));
  return { given, strangers: [...unknown.map(snakeCase), ...unread] };
}

/** Clients fill in default radii; without a centre they mean nothing. */
function withoutIdleRadius(args: Given): Given {
  if (args["lat"] !== undefined || args["lng"] !== undefined) return args;
  const { radiusKm: _idle, ...rest } = args;
  return rest;
}

/** `q` is what REST calls it. */
function withQuery({ q, ...args }: Given): Given {
  return q === undefined || args["query"] !== undefined ? args : { ...args, query: q };
}

const OTHER_NAMES_OF_ALERT = ["id", "alertId", "slug", "shortCode"] as const;

function withAlertNames(args: Given): Given {
  if (args["alert"] !== undefined) return args;
  const name = OTHER_NAMES_OF_ALERT.find((other) => args[other] !== undefined);
  if (name === undefined) return args;
  const { [name]: alert, ...rest } = args;
  return { ...rest, alert };
}

/** `specis is not known here`; null where every argument is known. */
export function unknownInWords({ strangers }: Arguments): string | null {
  if (strangers.length === 0) return null;
  return `${listed(strangers)} ${strangers.length === 1 ? "is" : "are"} not known here`;
}

function ignored(strangers: readonly string[]): string[] {
  return strangers.length === 0 ? [] : [`Not known here and left out: ${listed(strangers)}.`];
}

const NOTED_MAX = 10;
const NAME_SHOWN_MAX = 60;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NOTED_MAX).map((name) => name.slice(0, NAME_SHOWN_MAX));
  return shown.join(", ");
}

/** Before all else, where a long answer is still read. */
function noted(notes: readonly string[]): { readonly notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes };
}

function askedToWire(asked: Asked, then: string, notes: readonly string[]) {
  return {
    status: "pending_confirmation",
    sent_to: asked.sentTo,
    expires_at: isoTime(asked.expiresAt),
    next_step: `A confirmation letter goes to ${asked.sentTo}. ${then} The link works for 48 hours; if no letter comes, look among the junk mail.`,
    ...noted([...asked.removed.map(removal), ...notes]),
  };
}

function notFetched({ at, why }: Unfetched): string {
  return `Photo ${at} of photo_urls is left out: ${why}`;
}

function removal({ field, kinds }: Removed): string {
  return `Taken out of ${field}, where contact details do not belong: ${kinds.join(", ")}.`;
}
