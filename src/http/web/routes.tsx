/** @jsxImportSource hono/jsx */
import { ButtonLine, textPage } from "./components/elements.tsx";
import { type Context, Hono } from "hono";
import { PAGE_MESSAGES } from "../../messages/messages.ts";
import { Fault } from "../../core/fault.ts";
import type { Service } from "../../core/service/service.ts";
import { type Links, pathWithin } from "../../core/urls.ts";
import { aboutRoutes } from "./pages/about/about.tsx";
import { type LegalFacts, legalRoutes } from "./pages/legal/legal.tsx";
import { adminRoutes } from "./pages/admin/admin.tsx";
import { alertRoutes } from "./pages/alert/alert.tsx";
import { confirmRoutes } from "./pages/confirm/confirm.tsx";
import { contactRoutes } from "./pages/contact/contact.tsx";
import { conversationRoutes } from "./pages/conversation/conversation.tsx";
import { readForm } from "./form/form.ts";
import {
  answerOf,
  type PageContext,
  local,
  type Page,
  renderPage,
  renderFault,
  type Web,
  type WebEnv,
  type FormOptions,
  type Params,
  type RouteHandler,
} from "./layout/layout.tsx";
import { deviceRoutes } from "./pages/device/device.tsx";
import type { ApiDocument } from "../api/openapi/document.ts";
import { docsRoutes } from "./pages/docs/docs.tsx";
import { homeRoutes } from "./pages/home/home.tsx";
import { mapCellRoutes } from "./pages/home/map-cell.tsx";
import { manageRoutes } from "./pages/manage/manage.tsx";
import { searchMapRoutes } from "./pages/manage/search-map.tsx";
import { pairRoutes } from "./pages/alert/matches.tsx";
import { offlineRoutes } from "./pages/offline/offline.tsx";
import type { Site } from "../middleware/site.ts";
import { createAssets } from "./assets/assets.ts";
import { eraseRoutes } from "./pages/erase/erase.tsx";
import { editRoutes } from "./pages/manage/edit.tsx";
import { refuseOtherSites } from "./layout/form-origin.ts";
import { faultMessage } from "./form/field.tsx";
import { findLinksRoutes } from "./pages/manage/find-links.tsx";
import { inboxRoutes } from "./pages/inbox/inbox.tsx";
import { organisationRoutes } from "./pages/organisation/organisation.tsx";
import { photoRoutes } from "./layout/photo-response.ts";
import { posterRoutes } from "./pages/poster/poster.tsx";
import { publishRoutes } from "./pages/publish/publish.tsx";
import { waitingRoutes } from "./pages/waiting/waiting.tsx";
import { returnsRoutes } from "./pages/returns/returns.tsx";
import { reportRoutes } from "./pages/report/report.tsx";
import { subscribeRoutes } from "./pages/subscribe/subscribe.tsx";
import { townRoutes } from "./pages/towns/towns.ts";
import { sightingRoutes } from "./pages/sighting/sighting.tsx";
import { unsubscribeRoutes } from "./pages/subscribe/unsubscribe.tsx";
import { countryOf, languageOf } from "./layout/language.ts";

type TimedSite = Site & { readonly clock: () => number };

const ROUTES = [
  offlineRoutes,
  homeRoutes,
  aboutRoutes,
  mapCellRoutes,
  townRoutes,
  alertRoutes,
  posterRoutes,
  organisationRoutes,
  inboxRoutes,
  sightingRoutes,
  contactRoutes,
  confirmRoutes,
  publishRoutes,
  waitingRoutes,
  photoRoutes,
  findLinksRoutes,
  eraseRoutes,
  editRoutes,
  manageRoutes,
  searchMapRoutes,
  conversationRoutes,
  reportRoutes,
  pairRoutes,
  unsubscribeRoutes,
  subscribeRoutes,
  deviceRoutes,
  returnsRoutes,
];

/** All pages, to be mounted at the root. No page needs a script; only a POST changes anything. */
export function createPages(
  from: TimedSite &
    Pick<Web, "service" | "drawPreview"> & {
      readonly legal: LegalFacts;
      readonly api: ApiDocument;
    },
): Hono<WebEnv> {
  const { service, drawPreview } = from;
  const app = new Hono<WebEnv>();
  const { host } = new URL(from.links.home);
  const get: Web["get"] = <Path extends string>(path: Path, handler: RouteHandler<Path>) =>
    app.get(path, async (c) => {
      const ctx = contextOf(c, from, path, service);
      return answerOf(c, ctx, () => handler(c, ctx, paramsOf<Path>(c)));
    });
  const post: Web["post"] = <Path extends string>(
    path: Path,
    handler: RouteHandler<Path>,
    options: FormOptions = {},
  ) =>
    app.post(path, async (c) => {
      refuseOtherSites(c, path, options.from ?? "own", host);
      const ctx = contextOf(c, from, path, service);
      return answerOf(c, ctx, async () => {
        if (options.isForPrograms !== true) await readForm(c, []);
        return handler(c, ctx, paramsOf<Path>(c));
      });
    });
  const web: Web = { service, drawPreview, get, post, app };
  for (const addRoutes of ROUTES) addRoutes(web);
  if (from.isModerated) adminRoutes(web);
  docsRoutes(web, from.api);
  legalRoutes(web, from.legal);
  app.route("/", createAssets(from.theme));
  return app;
}

/** Error page with the status of the error. For a bug it shows only the id of the request. */
export function faultPage(
  c: Context,
  fault: Fault | { readonly request: string },
  site: TimedSite,
): Response | Promise<Response> {
  const ctx = contextOf(c, site, null);
  if (!(fault instanceof Fault)) {
    const { bugTitle, bugText } = ctx.t.fault;
    return renderPage(c, ctx, messagePage(ctx, bugTitle, bugText({ request: fault.request })), 500);
  }
  const title = ctx.t.fault.title[fault.code];
  const text = faultMessage(ctx.t, fault);
  return renderFault(c, ctx, fault, messagePage(ctx, title, text));
}

function contextOf(
  c: Context,
  { clock, ...site }: TimedSite,
  route: string | null,
  service?: Pick<Service, "places">,
): PageContext {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const country = countryOf(c) ?? service?.places.homeCountry();
  return {
    ...site,
    route,
    t: PAGE_MESSAGES[languageOf(c, site)],
    now: clock(),
    country,
    mapView: site.tiles === null ? null : (service?.places.mapView(country) ?? null),
    currentUrl: isRead ? currentUrl(c, site.links) : null,
  };
}

/** Address of the request, also where the proxy has removed the path of the site. */
function currentUrl(c: Context, links: Links): URL | null {
  const url = URL.parse(c.req.url);
  if (url !== null && links.at("") !== "")
    url.pathname = links.at(pathWithin(links.at(""), url.pathname));
  return url;
}

function messagePage(ctx: PageContext, title: string, text: string): Page {
  const page = textPage(
    title,
    [text],
    <ButtonLine to={local(ctx.links.home)} label={ctx.t.fault.home} />,
  );
  // What a form was sent to may have no page to go back to.
  return { ...page, formAddress: local(ctx.links.home) };
}

function paramsOf<Path extends string>(c: Context): Params<Path> {
  const params: Readonly<Record<string, string>> = c.req.param();
  return params as Params<Path>;
}
