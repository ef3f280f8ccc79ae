import { type Context, Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import type { Links } from "../../core/links.ts";
import type { Service } from "../../core/service.ts";
import { type Allowances, createAbout } from "./about.tsx";
import { createAdmin } from "./admin.tsx";
import { createAlertPages } from "./alert.tsx";
import { createConfirm } from "./confirm.tsx";
import { createContact } from "./contact.tsx";
import { createConversation } from "./conversation.tsx";
import {
  type Frame,
  local,
  type Page,
  show,
  showFault,
  type Tiles,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { createHome } from "./home.tsx";
import { createManage } from "./manage.tsx";
import { createPairPages } from "./matches.tsx";
import { createAssets } from "./assets.ts";
import { createErase } from "./erase.tsx";
import { createEdit } from "./edit.tsx";
import { faultInWords } from "./fault-words.ts";
import { createFindMine } from "./find-mine.tsx";
import { createPhotos } from "./photos.ts";
import { createPoster } from "./poster.tsx";
import { createPublish } from "./publish.tsx";
import { createWaitingPages } from "./waiting.tsx";
import { createReports } from "./report.tsx";
import { createSubscribe } from "./subscribe.tsx";
import { createTowns } from "./towns.tsx";
import { createSighting } from "./sighting.tsx";
import { createUnsubscribe } from "./unsubscribe.tsx";
import { languageOf } from "./language.ts";
import { WORDS } from "./words/words.ts";

type Site = {
  readonly links: Links;
  readonly siteName: string;
  readonly tiles: Tiles | null;
  readonly isModerated: boolean;
};

/** Every page for people, to be mounted at the root. No page needs a script; only a POST changes anything. */
export function createPages(from: Site & Allowances & { readonly service: Service }): Hono<WebEnv> {
  const web: Web = { service: from.service, frameOf: (c) => frameOf(c, from) };
  const pages = new Hono<WebEnv>();
  pages.route("/", createAssets());
  pages.route("/", createHome(web));
  pages.route("/", createTowns(web));
  pages.route("/", createAlertPages(web));
  pages.route("/", createPoster(web));
  pages.route("/", createSighting(web));
  pages.route("/", createContact(web));
  pages.route("/", createConfirm(web));
  pages.route("/", createPublish(web));
  pages.route("/", createWaitingPages(web));
  pages.route("/", createPhotos(web));
  pages.route("/", createFindMine(web));
  pages.route("/", createErase(web));
  pages.route("/", createEdit(web));
  pages.route("/", createManage(web));
  pages.route("/", createConversation(web));
  pages.route("/", createReports(web));
  pages.route("/", createAdmin(web));
  pages.route("/", createPairPages(web));
  pages.route("/", createUnsubscribe(web));
  pages.route("/", createSubscribe(web));
  pages.route("/", createAbout(web, from));
  return pages;
}

/** Tells a person what went wrong, with the fault's status; of a bug nothing but the request it happened in. */
export function faultPage(
  c: Context,
  fault: Fault | { readonly request: string },
  site: Site,
): Response | Promise<Response> {
  const frame = frameOf(c, site);
  if (!(fault instanceof Fault)) {
    const { bugTitle, bugText } = frame.words.fault;
    return show(c, frame, messagePage(frame, bugTitle, bugText(fault.request)), 500);
  }
  const title = frame.words.fault.title[fault.code];
  const text = faultInWords(frame.words, fault);
  return showFault(c, frame, fault, messagePage(frame, title, text));
}

function frameOf(c: Context, { links, siteName, tiles, isModerated }: Site): Frame {
  const here = c.req.method === "GET" ? URL.parse(c.req.url) : null;
  return { links, siteName, words: WORDS[languageOf(c)], here, tiles, isModerated };
}

function messagePage(frame: Frame, title: string, text: string): Page {
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <p class="lead">{text}</p>
        <p>
          <a class="button quiet" href={local(frame.links.home)}>
            {frame.words.fault.home}
          </a>
        </p>
      </>
    ),
  };
}
