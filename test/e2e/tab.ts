import type { BrowserContext, ConsoleMessage, Page, Request, Response } from "playwright-core";
import { STEP_MS_MAX } from "./chromium.ts";
import type { SampleData } from "./sample-data.ts";
import type { PageState } from "./pages.ts";
import type { Site } from "./site.ts";

export type Tab = Awaited<ReturnType<typeof openTab>>;

/** A page as the server sent it. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly source: string;
};

/**
 * Browser tab that records errors its pages do not show. Paths are those of the site; pages of the
 * `others` may be opened, too.
 */
export async function openTab(context: BrowserContext, site: Site, ...others: Site[]) {
  context.setDefaultTimeout(STEP_MS_MAX);
  const page = await context.newPage();
  let heard: string[] = [];
  const hosts = [site, ...others].flatMap(({ origin, tiles }) => [origin, tiles]);
  listen(page, hosts, (fault) => heard.push(fault));
  return {
    page,
    /** Opens a page in one of its states. */
    async open(state: PageState, data: SampleData): Promise<Answer> {
      heard = [];
      const address = new URL(state.at(data), site.origin).href;
      if (state.isSignedIn) await context.addCookies(cookiesOf(site, data));
      else await context.clearCookies();
      const fields = typeof state.post === "function" ? state.post(data) : state.post;
      const answer = await (fields === undefined
        ? page.goto(address)
        : post(page, address, fields));
      if (answer === null) throw new Error(`${address} gave no answer`);
      await state.act?.(page, data);
      return {
        status: answer.status(),
        headers: await answer.allHeaders(),
        source: await answer.text(),
      };
    },
    /** Since the page was opened: errors of scripts, what the policy refused, requests that failed or went elsewhere. */
    heard: (): readonly string[] => heard,
  };
}

/** Opens the answer to a form as if it had been sent from the page before. */
async function post(
  page: Page,
  address: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
) {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const exactly = (url: URL) => url.href === address;
  await page.route(exactly, (route) =>
    route.continue({
      method: "POST",
      headers: {
        ...route.request().headers(),
        "content-type": "application/x-www-form-urlencoded",
      },
      postData: new URLSearchParams(pairs).toString(),
    }),
  );
  const answer = await page.goto(address);
  await page.unroute(exactly);
  return answer;
}

/** Session cookies of a moderator and of a member. */
function cookiesOf(site: Site, { admin, inbox }: SampleData) {
  const { hostname: domain } = new URL(site.origin);
  return [
    { name: "moderator", value: admin.session, domain, path: "/admin", httpOnly: true },
    { name: "member", value: inbox.session, domain, path: "/inbox", httpOnly: true },
  ];
}

function listen(page: Page, hosts: readonly string[], note: (fault: string) => void): void {
  page.on("console", (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    // Said of every answer that is no success; `response` tells which of them were meant.
    if (message.text().startsWith("Failed to load resource")) return;
    note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`script: ${error.message}`));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request: Request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !hosts.includes(origin)) note(`asks ${request.url()}`);
  });
  page.on("requestfailed", (request: Request) => {
    // A page that is left takes its requests with it.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
    note(`${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on("response", (response: Response) => {
    const request = response.request();
    if (request.isNavigationRequest() || response.status() < 400) return;
    // A form that a script sends and the server refuses is sent again by the browser, which shows why.
    if (request.method() === "POST" && response.status() < 500) return;
    note(`${response.url()} gives ${response.status()}`);
  });
}
