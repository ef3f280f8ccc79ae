import { z } from "zod";
import { isAtOrganisation, type PublicAlert } from "../../core/alerts/alert.ts";
import { publishInput } from "../../core/alerts/publication.ts";
import {
  asSearched,
  type CloseAlertView,
  RADIUS_KM_DEFAULT,
  searchInput,
  type SearchInput,
  type SearchPage,
  TOTAL_MAX,
} from "../../core/alerts/search.ts";
import { searchNotes } from "../../core/alerts/search-notes.ts";
import { badInput, parse } from "../../core/input.ts";
import { alertRefField } from "../../core/alerts/alert-ref.ts";
import { motherCountry } from "../../places/places.ts";
import type { Caller } from "../../core/limits.ts";
import { matchesInput } from "../../core/matches/find-matches.ts";
import type { Service } from "../../core/service/service.ts";
import { timeZoneAt } from "../../core/time-zone.ts";
import { localTime, writtenTimeField } from "../../core/written-time.ts";
import { ZONE_RADIUS_KM_DEFAULT, zoneInput } from "../../core/zones/zone.ts";
import {
  alertToWire,
  countThatFit,
  DETAILS,
  matchesSchema,
  matchesToWire,
  rowJson,
  summaryToWire,
} from "../api/alert-json.ts";
import {
  ALIASES,
  type Aliases,
  type Args,
  ignored,
  refuseUnknown,
  type ToolArguments,
} from "./arguments.ts";
import {
  areaToWire,
  cityNotes,
  nameFields,
  placeField,
  placeFields,
  readPlace,
  requirePlace,
} from "./place.ts";
import { planUri, whatToDoNow } from "./plan.ts";
import {
  failedPhotoNote,
  notes,
  notesSchema,
  plainObject,
  receiptSchema,
  receiptToWire,
} from "./receipt.ts";
import { messageResult, messageToolInput, reportSighting } from "./sighting.ts";

/** Tool: its description for clients, and the use case it calls. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly aliases: Aliases;
  readonly output: z.ZodObject;
  readonly hints: typeof READS;
  /**
   * Parses the arguments and calls the use case. Returns the JSON of an object: printing a page of alerts anew would take
   * longer than finding them. Throws `Fault` with a message a model can act on.
   */
  readonly call: (service: Service, args: ToolArguments, caller: Caller) => Promise<string>;
};

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const UNVERIFIED = "Texts of alerts are by the public and unverified.";
const CONFIRMED_BY_MAIL = "Sends one confirmation e-mail to the address given";

const SAID_TO_BE_AT_SHELTER =
  "At a shelter, says the person who published it: the alert is not that of an organisation.";
const AFTER_NO_ALERT =
  "No alert fits. publish_alert announces a lost or found animal; subscribe_zone sends e-mails about new alerts near a place.";
const SHORTENED =
  "Fewer alerts than limit, as all of them would be too long; next_cursor leads to the rest.";
const FEWER_MATCHES =
  "Fewer matches than limit, the likeliest, as all of them would be too long; detail concise has room for more.";
const AFTER_NO_MATCH =
  "Likely matches that are published later are e-mailed to both owners; search_alerts finds alerts that are less alike.";

const alertInput = z.object({ alert: alertRefField });
const detail = z.enum(DETAILS).describe("full: all fields of get_alert").optional();
const searchToolInput = searchInput.extend({
  ...placeFields,
  since: writtenTimeField
    .describe("Published since: day or local time, also yesterday, 7d")
    .optional(),
  detail,
});
const requiredPlace = {
  ...placeFields,
  place: placeField
    .describe("Needed without lat and lng, which are more exact: town, district or postcode")
    .optional(),
};
const { countryCode: _countryCode, ...placeOfAlert } = requiredPlace;
/** The quarter comes with `place`. */
const publishToolInput = publishInput.omit({ district: true }).extend(placeOfAlert);
const zoneToolInput = zoneInput.extend(requiredPlace);
const matchesToolInput = matchesInput.extend({ detail });
/** Alert in a list, without its fields. */
const listedAlert = plainObject.describe("As in search_alerts");

export const TOOLS: readonly Tool[] = [
  {
    name: "search_alerts",
    title: "Search lost and found pet alerts",
    description: `Finds active alerts within a circle, by species, type, date and words. Returns summaries, the total and next_cursor for the next page; get_alert returns all of one alert. Positions are rounded to about 1 km. ${UNVERIFIED}`,
    input: searchToolInput,
    output: z.object({
      area: plainObject.describe("Place as understood").optional(),
      since_local: z.string().describe("since, by the clocks there").optional(),
      total: z.number().int().describe("On all pages"),
      total_is_more: z.boolean().describe(`True above ${TOTAL_MAX}`),
      alerts: z
        .array(plainObject)
        .describe(
          "Summaries: id, slug, url, photo, names, looks, town, position, distance_km, dates",
        ),
      closest: z
        .array(plainObject)
        .describe("If alerts is empty: up to 5 that lack missing_words")
        .optional(),
      next_cursor: z.string().nullable(),
      notes: notesSchema.describe(
        "Words read otherwise, inputs ignored, and which word or filter excluded every alert",
      ),
    }),
    hints: READS,
    aliases: ALIASES.search,
    async call(service, { args, unknown }) {
      refuseUnknown({ unknown }, searchToolInput);
      const { args: used, notes: unused } = withoutUnusedRadius(args);
      const { detail = "concise", place, countryCode, ...input } = parse(searchToolInput, used);
      const read = readPlace(service.places.locate, { ...input, place, countryCode });
      if (read === null && countryCode !== undefined)
        throw badInput([{ field: "countryCode", reason: { kind: "no_place" } }]);
      const timeZone = read === null ? "UTC" : timeZoneAt(read.point);
      const { input: searched, since } = asSearched(input, timeZone, service.now());
      const search: SearchInput = { ...searched, ...read?.point };
      const whole = await service.alerts.search(search, { withTotal: true });
      const rows = whole.alerts.map((row) => rowJson(row, detail));
      const limit = countThatFit(rows);
      const isWhole = limit === rows.length;
      const page = isWhole ? whole : await service.alerts.search({ ...search, limit });
      const isEmpty = page.alerts.length === 0 && search.cursor === undefined;
      const closest =
        isEmpty && search.query !== undefined ? await service.alerts.closest(search) : [];
      const area =
        read === null ? {} : { area: areaToWire(read, input.radiusKm ?? RADIUS_KM_DEFAULT) };
      const said = notes([
        ...(read?.notes ?? []),
        ...searchNotes(page.explanation),
        ...unused,
        ...(isWhole ? [] : [SHORTENED]),
        ...(isEmpty ? [AFTER_NO_ALERT] : []),
      ]);
      const first = JSON.stringify({
        ...said,
        ...area,
        ...(since === null ? {} : { since_local: localTime(since, timeZone) }),
        ...totalToWire(whole),
        ...(closest.length === 0 ? {} : { closest: closest.map(closeToWire) }),
      });
      const shown = isWhole ? rows : page.alerts.map((row) => rowJson(row, detail));
      const next = JSON.stringify(page.nextCursor);
      return `${first.slice(0, -1)},"alerts":[${shown.join(",")}],"next_cursor":${next}}`;
    },
  },
  {
    name: "get_alert",
    title: "Get one alert",
    description: `Returns all public details of one alert, active or ended. Says if it still waits for confirmation. Sightings are listed on its page, url. Never returns an owner's address; send_message writes to the owner. ${UNVERIFIED}`,
    input: alertInput,
    output: z.object({
      alert: plainObject.describe(
        "All fields, such as photos, description, event_date, contact_url",
      ),
      notes: notesSchema,
    }),
    hints: READS,
    aliases: ALIASES.alert,
    async call(service, { args, unknown }) {
      const alert = await service.alerts.get(parse(alertInput, args).alert);
      const isUnproven = alert.custody === "shelter" && !isAtOrganisation(alert);
      return JSON.stringify({
        ...notes([...ignored(unknown), ...(isUnproven ? [SAID_TO_BE_AT_SHELTER] : [])]),
        alert: alertToWire(alert),
      });
    },
  },
  {
    name: "find_matches",
    title: "Find possible matches for an alert",
    description: `Ranks found alerts for a lost one, and lost ones for a found one, by the probability in percent that both are the same animal, with reasons. 40 and more is high confidence; only people can tell for sure. Omits 0 percent; compared 0: no alert was near enough in place and time.`,
    input: matchesToolInput,
    output: matchesSchema.extend({
      alert: listedAlert,
      matches: z
        .array(plainObject)
        .describe("alert, score, high_confidence, summary, reasons, ask"),
      notes: notesSchema,
    }),
    hints: READS,
    aliases: ALIASES.alert,
    async call(service, { args, unknown }) {
      const { detail, ...input } = parse(matchesToolInput, args);
      const matches = await service.matches.find(input);
      const toWire = (alert: PublicAlert) =>
        detail === "full" ? alertToWire(alert) : summaryToWire(alert);
      const isOpen = matches.matches.length === 0 && matches.alert.status === "active";
      const wire = matchesToWire(matches, toWire);
      const fitting = countThatFit(wire.matches.map((match) => JSON.stringify(match)));
      const next = `${AFTER_NO_MATCH} What to do now: resource ${planUri(matches.alert)}.`;
      const said = notes([
        ...ignored(unknown),
        ...(isOpen ? [next] : []),
        ...(fitting < wire.matches.length ? [FEWER_MATCHES] : []),
      ]);
      return JSON.stringify({ ...said, ...wire, matches: wire.matches.slice(0, fitting) });
    },
  },
  {
    name: "publish_alert",
    title: "Publish a lost or found pet alert",
    description: `Prepares an alert about one lost or found animal. ${CONFIRMED_BY_MAIL}; nothing is public until a person confirms it there. Returns its future addresses; qr_url is for posters. Phone numbers, e-mail addresses, links and payment details in texts are removed, street addresses are not; the position is rounded to about 1 km. Only the owner ends (animal home), renews, edits or removes an alert, by the private link that comes by e-mail; the page /manage sends it again.`,
    input: publishToolInput,
    output: receiptSchema.extend({
      id: z.string(),
      slug: z.string(),
      short_code: z.string(),
      url: z.string(),
      qr_url: z.string(),
      city: z.string(),
      district: z.string().nullable(),
      country_code: z.string(),
      event_date: z.string(),
    }),
    hints: WRITES,
    aliases: ALIASES.publication,
    async call(service, { args, unknown }, caller) {
      const { place, ...input } = parse(publishToolInput, args);
      const { city, countryCode: country } = input;
      const read = requirePlace(service.places.locate, { ...input, place });
      const named = city === undefined ? nameFields(read.called) : {};
      // Of a territory, the name of its place says more than its mother country.
      const isTerritory =
        country !== undefined && country === motherCountry(read.called.countryCode);
      const isIn =
        isTerritory && place !== undefined ? { countryCode: read.called.countryCode } : {};
      const receipt = await service.requests.publish(
        { ...named, ...input, ...isIn, ...read.point },
        caller,
      );
      const { status, ...rest } = receiptToWire(
        receipt,
        `The alert is published when someone opens the link in that email and presses the button; that page also takes photos. The next email then brings the owner's private link, which marks the animal as home, renews, edits or removes the alert; no tool does. ${receipt.manageLinksUrl} sends that link again. The same call within 10 minutes returns this alert again and sends no second email. ${whatToDoNow(input, service.plan.fresh({ ...input, eventDate: receipt.eventDate }), service.places.helpNear(read.point))}`,
        [
          ...read.notes,
          ...cityNotes(service.places.locate, { city, country }, read),
          ...receipt.unfetched.map(failedPhotoNote),
          ...ignored(unknown),
        ],
      );
      const { id, slug, shortCode, url, qrUrl, eventDate } = receipt;
      return JSON.stringify({
        status,
        id,
        slug,
        short_code: shortCode,
        url,
        qr_url: qrUrl,
        city: receipt.city,
        district: receipt.district,
        country_code: receipt.countryCode,
        event_date: eventDate,
        area: areaToWire(read),
        ...rest,
      });
    },
  },
  {
    name: "send_message",
    title: "Write to the owner of an alert",
    description: `Writes to the owner of an alert through the platform; neither side sees the other's address. ${CONFIRMED_BY_MAIL}; the message is delivered when a person confirms it there. Messages and answers arrive by e-mail only; no tool reads them. With a place where the animal was seen, it is a public sighting on the alert's page instead.`,
    input: messageToolInput,
    output: messageResult,
    hints: { ...WRITES, destructiveHint: true },
    aliases: ALIASES.alert,
    async call(service, { args, unknown }, caller) {
      const { seenPlace, seenLat, seenLng, seenAt, countryCode, ...message } = parse(
        messageToolInput,
        args,
      );
      const seen = { seenPlace, seenLat, seenLng, seenAt };
      if (Object.values(seen).some((value) => value !== undefined)) {
        const sighting = { ...message, ...seen, countryCode };
        return reportSighting(service, sighting, ignored(unknown), caller);
      }
      const receipt = await service.requests.sendMessage(message, caller);
      const nextStep =
        "The message is delivered when someone opens the link in that email and presses the button.";
      return JSON.stringify(receiptToWire(receipt, nextStep, ignored(unknown)));
    },
  },
  {
    name: "subscribe_zone",
    title: "Subscribe to new alerts near a place",
    description: `Subscribes an address to e-mails about new alerts within a circle. ${CONFIRMED_BY_MAIL}; e-mails start when a person confirms it there, and each has an unsubscribe link. search_alerts searches once.`,
    input: zoneToolInput,
    output: receiptSchema,
    hints: { ...WRITES, idempotentHint: true },
    aliases: ALIASES.zone,
    async call(service, { args, unknown }, caller) {
      refuseUnknown({ unknown }, zoneToolInput);
      const { place, countryCode, ...input } = parse(zoneToolInput, args);
      const read = requirePlace(service.places.locate, { ...input, place, countryCode });
      const receipt = await service.requests.subscribe({ ...input, ...read.point }, caller);
      const nextStep =
        "Emails start when someone opens the link in that email and presses the button; that page also offers one email a day instead of one within a minute of each alert.";
      return JSON.stringify({
        ...receiptToWire(receipt, nextStep, read.notes),
        area: areaToWire(read, input.radiusKm ?? ZONE_RADIUS_KM_DEFAULT),
      });
    },
  },
];

function closeToWire({ alert, distanceKm, missingWords }: CloseAlertView) {
  const distance = distanceKm === null ? {} : { distance_km: distanceKm };
  return { ...summaryToWire(alert), ...distance, missing_words: missingWords };
}

/** Total of a search, before its alerts. */
function totalToWire({ total }: SearchPage) {
  return total === null ? {} : { total: total.count, total_is_more: total.isMore };
}

/** Drops a radius without a centre, with a note: clients fill in default values. */
function withoutUnusedRadius(args: Args): {
  readonly args: Args;
  readonly notes: readonly string[];
} {
  const hasCentre = ["place", "lat", "lng"].some((name) => args[name] !== undefined);
  const { radiusKm, ...rest } = args;
  if (hasCentre || radiusKm === undefined) return { args, notes: [] };
  return {
    args: rest,
    notes: ["Ignored radius_km: without place, or lat and lng, it has no centre."],
  };
}
