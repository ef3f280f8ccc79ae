import type { Language } from "../../messages/languages.ts";
import { createSitemap } from "../alerts/sitemap.ts";
import { createAlertCache, type ForgetfulCache } from "../alerts/alert-cache.ts";
import type { PublicAlert } from "../alerts/alert.ts";
import { alertRef } from "../alerts/alert-ref.ts";
import { type AlertReader, createAlertReader, marksOf } from "../alerts/directory.ts";
import { createHomeAgain } from "../outcomes/home-again.ts";
import type { SearchInput } from "../alerts/search.ts";
import { createHomeCountry } from "../alerts/home-country.ts";
import { createManageLinks } from "../owners/manage-links.ts";
import {
  createGeocoder,
  type Located,
  type LocationInput,
  PLACE_MAX,
} from "../../places/places.ts";
import { createTableSync } from "../tables/table-sync.ts";
import { createOwnerActions } from "../owners/owner.ts";
import { createConfirmation } from "../pending/confirm.ts";
import { createRequests } from "../pending/request.ts";
import { createWaitingList } from "../pending/waiting-list.ts";
import { createRequestStatus } from "../pending/request-status.ts";
import { createEmailedReplies } from "../conversations/emailed-reply.ts";
import { createConversations } from "../conversations/reply.ts";
import { createErasure } from "../erasure/erase.ts";
import { badInput, isoDate } from "../input.ts";
import { createIndexSync, createIndexWriter } from "../jobs/index-sync.ts";
import { createScheduler } from "../jobs/scheduler.ts";
import { announceAlerts, sendZoneEmails } from "../zones/notify.ts";
import { sendOwnerDigests } from "../conversations/owner-digest.ts";
import type { Caller } from "../limits.ts";
import { createMagicLinks } from "../people/magic-link.ts";
import { createMatching, FIND_ACTIVE_DAYS, type MatchesInput } from "../matches/find-matches.ts";
import { createMatchEmails } from "../matches/match-emails.ts";
import { createStatistics } from "../../matching/matching.ts";
import { createOperator } from "../moderation/operator-acts.ts";
import { createModerationQueue } from "../moderation/queue.ts";
import { type ConversationReportInput, type ReportInput } from "../moderation/report.ts";
import { sendReportEmails } from "../moderation/report-emails.ts";
import { createInbox } from "../inbox/inbox.ts";
import { createMembers } from "../inbox/members.ts";
import { createMemberSessions } from "../inbox/member-session.ts";
import { createInboxSignIn } from "../inbox/member-sign-in.ts";
import { organisationView, publisherOf } from "../organisations/publisher.ts";
import { createOrganisationOperator } from "../organisations/register.ts";
import { createModerators } from "../moderation/moderators.ts";
import { createPhotoActions } from "../photos/photos.ts";
import { helpNear } from "../help.ts";
import type { Box, Point } from "../../values/point.ts";
import { planAt, type Planned } from "../plan/plan.ts";
import type { Store } from "./store.ts";
import { createDevices, pushZoneNews } from "../push/devices.ts";
import { SIGHTINGS_MANAGED, sightingsOf } from "../sightings/sighting.ts";
import { createPulls } from "../tables/pulls.ts";
import { createUnsubscribeLinks } from "../zones/subscription.ts";
import type { BulkAlert } from "../tables/imported-alert.ts";
import { reportAlert, reportConversation } from "../moderation/new-report.ts";
import { requireAlertNamed } from "../alerts/alert-by-name.ts";

/** Ports of all subjects. */
export type Ports = { readonly store: Store } & Parameters<typeof createConversations>[0] &
  Parameters<typeof createDevices>[0] &
  Parameters<typeof createErasure>[0] &
  Parameters<typeof createIndexSync>[0] &
  Parameters<typeof createMatching>[0] &
  Parameters<typeof createModerationQueue>[0] &
  Parameters<typeof createOwnerActions>[0] &
  Parameters<typeof createPhotoActions>[0] &
  Parameters<typeof createPulls>[0] &
  Parameters<typeof createUnsubscribeLinks>[0];

/** Use cases for the public adapters (REST, tools, pages). They return public views only, never records. */
export type Service = ReturnType<typeof createService>["service"];
/** Use cases for the operator's shell. They authenticate nobody, so no network adapter may have them. */
export type Operator = ReturnType<typeof createService>["operator"];

/** With the rows of tools attached to it, a cached alert takes about 4 KB. */
const CACHED_MAX = 4_096;

export function createService(ports: Ports) {
  const statistics = createStatistics(
    (point, spreadKm) => ports.gazetteer.peoplePerKm2(point, spreadKm),
    FIND_ACTIVE_DAYS,
  );
  const matching = createMatching(ports, statistics);
  const { queueMatchEmails } = createMatchEmails(ports, matching);
  const caches: ForgetfulCache[] = [];
  const everyCache: ForgetfulCache = {
    forget: (publishedAt) => caches.forEach((cache) => cache.forget(publishedAt)),
    forgetAll: () => caches.forEach((cache) => cache.forgetAll()),
  };
  const syncIndexes = createIndexSync(
    ports,
    createIndexWriter(ports, statistics.density, matching, everyCache),
  );

  /** Public alerts in the form of an adapter, with a cache of so many; to be called once for each form. */
  function alertsAs<Form>(
    toForm: (alert: PublicAlert) => Form,
    cachedMax: number,
  ): AlertReader<Form> {
    const cache = createAlertCache(ports, toForm, cachedMax);
    caches.push(cache);
    return createAlertReader(ports, cache);
  }

  const homeCountry = createHomeCountry(ports);
  const locations = createGeocoder(ports, homeCountry.current);
  const photos = createPhotoActions(ports);
  const requestStatus = createRequestStatus(ports);
  const manageLinks = createManageLinks(ports);
  const queue = createModerationQueue(ports, syncIndexes);
  const moderation = createModerators(ports, queue);
  const { waitingFor, ...waitingList } = createWaitingList(ports);
  /** Erasure by its link, and by the operator. */
  const { dataInventory, erasePerson, allowEmails, ...erasure } = createErasure(
    ports,
    syncIndexes,
    photos,
    waitingFor,
  );
  const { followFile, pullDue, watchedTables, syncFile, ...tables } = createPulls(
    ports,
    createTableSync(ports, syncIndexes, photos),
    homeCountry.current,
  );
  const inboxSignIn = createInboxSignIn(ports);
  const sessions = createMemberSessions(ports);
  const answerLinkRequests = createMagicLinks(ports, {
    admin: moderation.sendSignInLink,
    inbox: inboxSignIn.sendInboxLink,
    erase: erasure.sendErasureLink,
    links: manageLinks.sendManageLinks,
  });
  const scheduler = createScheduler(ports, syncIndexes, photos, [
    { name: "answer link requests", by: "leader", run: answerLinkRequests },
    {
      name: "announce alerts in zones",
      by: "each",
      run: (...times) => announceAlerts(ports, ...times),
    },
    { name: "send zone emails", by: "each", run: (now) => sendZoneEmails(ports, now) },
    { name: "send zone pushes", by: "each", run: (now) => pushZoneNews(ports, now) },
    { name: "send owner digests", by: "each", run: (now) => sendOwnerDigests(ports, now) },
    { name: "learn the home country", by: "each", run: homeCountry.learn },
    {
      name: "send report emails",
      by: "leader",
      run: (now) => sendReportEmails(ports, homeCountry.current(), now),
    },
    { name: "learn match statistics", by: "each", run: matching.learn },
    { name: "compare new alerts", by: "each", run: matching.compareNew },
    { name: "queue match emails", by: "leader", run: queueMatchEmails },
    { name: "follow the table list", by: "each", run: followFile },
  ]);

  const service = {
    alerts: {
      ...alertsAs(frozen, CACHED_MAX),
      ...createSitemap(ports),
      as: alertsAs,
      /** True if a short code was ever issued; its QR image exists from then on. */
      async isShortCodeTaken(text: string): Promise<boolean> {
        const ref = alertRef(text);
        return ref?.by === "code" && (await ports.store.isShortCodeTaken(ref.code));
      },
      marks: (input: SearchInput, max: number) => marksOf(ports, input, max),
      /** Adds alerts without a confirmation email, each source once. Returns the sources that were new. */
      async add(alerts: readonly BulkAlert[]): Promise<string[]> {
        const added = await ports.store.addAlerts(alerts, ports.clock());
        await syncIndexes();
        return added;
      },
    },
    places: {
      completeTown: locations.completeTown,
      /** Place of a text and a position. Throws `bad_input` for a text of more than `PLACE_MAX` characters. */
      locate(input: LocationInput): Located | null {
        if ((input.place ?? "").trim().length > PLACE_MAX)
          throw badInput([{ field: "place", reason: { kind: "longest", limit: PLACE_MAX } }]);
        return locations.locate(input);
      },
      /** Country (ISO 3166-1 alpha-2) of most alerts, if any. */
      homeCountry: homeCountry.current,
      /** Part of the world that a map shows to a reader from a country, or else from that of the instance; null for all. */
      mapView: (country = homeCountry.current()): Box | null =>
        country === undefined ? null : ports.gazetteer.inhabitedBox(country),
      /** People to call near a place. */
      helpNear: (point: Point) => helpNear(ports.help, point),
    },
    plan: {
      /** Plan of which no step is done yet; the day of the event, YYYY-MM-DD, is today if it is not known. */
      fresh: ({ eventDate, ...animal }: Planned & { readonly eventDate?: string | undefined }) =>
        planAt({ ...animal, eventDate: eventDate ?? isoDate(ports.clock()) }, [], ports.clock()),
    },
    matches: {
      find: async ({ alert, ...rest }: MatchesInput) =>
        matching.matches(await requireAlertNamed(ports, alert), rest),
      /** Likely matches of a publication that waits for its confirmation; none of other requests. */
      likely: async (ticket: string, language: Language) => {
        const draft = await requestStatus.waitingDraft(ticket);
        return draft === null ? [] : matching.likely(draft, language);
      },
      pair: matching.pair,
      notMyPet: matching.notMyPet,
    },
    sightings: {
      of: (alert: PublicAlert) => sightingsOf(ports, alert),
      managed: (alert: PublicAlert) => sightingsOf(ports, alert, SIGHTINGS_MANAGED),
    },
    reports: {
      alert: (input: ReportInput, caller: Caller) => reportAlert(ports, input, caller),
      conversation: (token: string, input: ConversationReportInput, caller: Caller) =>
        reportConversation(ports, token, input, caller),
    },
    organisations: {
      /** Contact details of an organisation. Throws `not_found`. */
      view: (slug: string) => organisationView(ports, slug),
      publisherOf: (alert: PublicAlert) => publisherOf(ports, alert),
    },
    photos,
    requests: { ...createRequests(ports, photos), ...requestStatus },
    confirmation: { ...createConfirmation(ports, syncIndexes, photos), ...waitingList },
    owners: { ...createOwnerActions(ports, syncIndexes, photos), ...manageLinks },
    subscriptions: createUnsubscribeLinks(ports, syncIndexes),
    conversations: { ...createConversations(ports, photos), ...createEmailedReplies(ports) },
    devices: createDevices(ports, syncIndexes),
    outcomes: createHomeAgain(ports),
    moderation,
    inbox: {
      ...inboxSignIn,
      ...sessions,
      ...createInbox(ports, sessions, syncIndexes, photos),
      ...createMembers(ports, sessions),
    },
    erasure,
    tables: { pullDue, watchedTables },
    ...scheduler,
    /** Milliseconds since 1970. */
    now: ports.clock,
    syncIndexes,
    /** Forgets the alerts that are kept in memory: they are read from the store again. */
    forgetAlerts: everyCache.forgetAll,
    state: async () => ({
      activeAlerts: ports.alertIndex.size,
      zones: ports.zoneIndex.size,
      storeAnswers: await ports.store.alive(),
    }),
  };

  const operator = {
    moderationQueue: () => queue.list(),
    searchAnyAlert: queue.search,
    ...createOperator(ports, queue),
    dataInventory,
    erasePerson,
    allow: allowEmails,
    syncTable: syncFile,
    ...tables,
    ...createOrganisationOperator(ports, syncIndexes, photos),
  };

  return { service, operator };
}

/** Frozen view, to which adapters attach serialised forms. */
function frozen(alert: PublicAlert): PublicAlert {
  Object.freeze(alert.photos);
  Object.freeze(alert.thumbnails);
  return Object.freeze(alert);
}
