import { Hono } from "hono";
import { KEEP_PERSONAL_DATA_MS, lifeMs } from "../../core/alert.ts";
import { MESSAGES_A_DAY } from "../../core/conversation.ts";
import { DAY_MS, HOUR_MS } from "../../core/duration.ts";
import { TOMBSTONE_KEEP_MS } from "../../core/erasing.ts";
import { HITS_KEEP_MS, type Rate, type Rates } from "../../core/limit.ts";
import {
  CONFIRM_MS,
  PENDING_KEEP_MS,
  UNANSWERED_A_DAY_MAX,
  UNANSWERED_WAITING_MAX,
} from "../../core/pending.ts";
import { DEED_KEEP_MS, REPORT_KEEP_MS } from "../../core/report.ts";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { COOKIE_MS } from "./language.ts";

const GEONAMES = "https://www.geonames.org/";
const GUIDES = ["cat", "dog", "found"] as const;
type Guide = (typeof GUIDES)[number];

/** What the guides rest on. Titles stay in their own language. */
const HUANG = {
  title:
    "Huang L. et al. (2018): Search Methods Used to Locate Missing Cats and Locations Where Missing Cats Are Found. Animals 8(1):5",
  address: "https://doi.org/10.3390/ani8010005",
};
const WEISS = {
  title:
    "Weiss E., Slater M., Lord L. (2012): Frequency of Lost Dogs and Cats in the United States and the Methods Used to Locate Them. Animals 2(2):301–315",
  address: "https://doi.org/10.3390/ani2020301",
};
const CAT_BEHAVIOUR = {
  title: "Missing Pet Partnership: Lost Cat Behavior",
  address: "https://www.missingpetpartnership.org/recovery-tips/lost-cat-behavior/",
};
const DOG_BEHAVIOUR = {
  title: "Missing Animal Response Network",
  address: "https://www.missinganimalresponse.com/",
};
const SOURCES: Readonly<Record<Guide, readonly (typeof HUANG)[]>> = {
  cat: [HUANG, CAT_BEHAVIOUR],
  dog: [WEISS, DOG_BEHAVIOUR],
  found: [],
};
/** Look-ups over many chip registries. */
const REGISTRIES = [
  { title: "Europetnet", address: "https://www.europetnet.org/" },
  { title: "AAHA Pet Microchip Lookup", address: "https://www.petmicrochiplookup.org/" },
];

/** What this instance allows each caller, and how many daily backups it keeps. */
export type Allowances = {
  readonly rates: Rates;
  readonly limitRead: Rate;
  readonly backupKeep: number;
};

/** What this service is, what to do first, what it keeps, its limits, and where programs find it. */
export function createAbout({ frameOf }: Web, allowances: Allowances): Hono<WebEnv> {
  const about = new Hono<WebEnv>();
  about.get("/about", (c) => {
    const frame = frameOf(c);
    return show(c, frame, aboutPage(frame, allowances));
  });
  return about;
}

function aboutPage(frame: Frame, allowances: Allowances): Page {
  const { links, siteName } = frame;
  const words = frame.words.about;
  return {
    title: words.title,
    access: "public",
    head: (
      <>
        <link rel="canonical" href={links.about} />
        <meta name="description" content={words.lead(siteName)} />
      </>
    ),
    body: (
      <div class="about">
        <h1>{words.title}</h1>
        <p class="lead">{words.lead(siteName)}</p>
        <Contents frame={frame} />
        <h2 id="how">{words.how}</h2>
        <List of={words.howItems} />
        <h2 id="first">{words.first}</h2>
        <p>{words.firstLead}</p>
        {GUIDES.map((guide) => (
          <Steps frame={frame} guide={guide} />
        ))}
        <h2 id="privacy">{words.privacy}</h2>
        <List of={keptItems(frame, allowances)} />
        <p>
          <a href={local(links.eraseMine)}>{frame.words.erase.link}</a>
        </p>
        <h2 id="limits">{words.limits}</h2>
        <Limits frame={frame} allowances={allowances} />
        <h2 id="programs">{words.machines}</h2>
        <Programs frame={frame} />
        <h2 id="assistants">{words.assistants}</h2>
        <Assistants frame={frame} />
        <h2 id="embed">{frame.words.embed.title}</h2>
        <OnOtherSites frame={frame} />
        <h2 id="thanks">{words.thanks}</h2>
        <p>
          {words.gazetteer} <a href={GEONAMES}>GeoNames</a>, {words.license}
        </p>
        {frame.tiles !== null && <p>{words.maps(frame.tiles.attribution)}</p>}
      </div>
    ),
  };
}

function Contents({ frame }: { readonly frame: Frame }) {
  const words = frame.words.about;
  const parts = [
    ["how", words.how],
    ...GUIDES.map((guide) => [guide, words.guides[guide].title] as const),
    ["privacy", words.privacy],
    ["limits", words.limits],
    ["programs", words.machines],
    ["assistants", words.assistants],
    ["embed", frame.words.embed.title],
    ["thanks", words.thanks],
  ] as const;
  return (
    <nav class="panel contents" aria-labelledby="contents">
      <h2 id="contents">{words.contents}</h2>
      <ul class="links">
        {parts.map(([id, title]) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Steps({ frame, guide }: { readonly frame: Frame; readonly guide: Guide }) {
  const words = frame.words.about;
  const { title, steps } = words.guides[guide];
  const sources = SOURCES[guide];
  return (
    <section aria-labelledby={guide}>
      <h3 id={guide}>{title}</h3>
      <ol class="steps">
        {steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {guide === "found" && <References heading={words.registries} of={REGISTRIES} />}
      {sources.length > 0 && <References heading={`${words.sources}:`} of={sources} />}
    </section>
  );
}

function References({
  heading,
  of,
}: {
  readonly heading: string;
  readonly of: readonly { readonly title: string; readonly address: string }[];
}) {
  return (
    <div class="references">
      <p>{heading}</p>
      <ul>
        {of.map(({ title, address }) => (
          <li>
            <a href={address} lang="en">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Every number from where it is enforced. */
function keptItems({ words, tiles }: Frame, { backupKeep }: Allowances): string[] {
  const { kept } = words.about;
  const days = (ms: number) => Math.round(ms / DAY_MS);
  const life = [
    days(lifeMs("lost", "dog")),
    days(lifeMs("lost", "cat")),
    days(lifeMs("lost", "other")),
    days(lifeMs("found", "other")),
  ] as const;
  return [
    kept.where,
    kept.position,
    kept.photos,
    kept.confirm(CONFIRM_MS / HOUR_MS),
    kept.life(...life),
    kept.ended(days(KEEP_PERSONAL_DATA_MS)),
    kept.zone,
    kept.chip,
    kept.outcome,
    kept.stopped,
    kept.erased,
    kept.backups(backupKeep),
    kept.tombstones(days(TOMBSTONE_KEEP_MS)),
    kept.reports(days(REPORT_KEEP_MS), days(DEED_KEEP_MS)),
    kept.letters(days(PENDING_KEEP_MS)),
    kept.callers(HITS_KEEP_MS / HOUR_MS),
    kept.cookie(COOKIE_MS / DAY_MS),
    tiles === null ? kept.noTiles : kept.tiles(new URL(tiles.url).hostname),
  ];
}

function Limits({
  frame,
  allowances: { rates, limitRead },
}: {
  readonly frame: Frame;
  readonly allowances: Allowances;
}) {
  const words = frame.words.about;
  const said = (what: keyof typeof words.unlimited, rate: Rate) => {
    if (rate === null) return words.unlimited[what];
    const count = words[what](rate.max);
    return rate.windowMs === HOUR_MS ? words.anHour(count) : words.aMinute(count);
  };
  return (
    <>
      <p>{words.limitsLead}</p>
      <List
        of={[
          said("publications", rates.publish),
          said("messages", rates.message),
          said("subscriptions", rates.zone),
          said("reads", limitRead),
        ]}
      />
      <p>{words.perAlert(MESSAGES_A_DAY.alert, MESSAGES_A_DAY.stranger)}</p>
      <p>{words.perMailbox(UNANSWERED_WAITING_MAX, UNANSWERED_A_DAY_MAX)}</p>
    </>
  );
}

function Programs({ frame: { words, links } }: { readonly frame: Frame }) {
  const { apiText, geojsonText, feedText } = words.about;
  return (
    <>
      <Code said={apiText} code={`${links.api}/alerts`} />
      <Code said={geojsonText} code={links.geojson} />
      <Code said={feedText} code={links.feed} />
      <code>lat lng radius_km species type since q limit cursor</code>
      <p>
        {words.embed.docs} <a href={local(links.docs)}>{links.docs}</a>
      </p>
    </>
  );
}

function Assistants({ frame: { words, links } }: { readonly frame: Frame }) {
  const { mcpText, mcpPublic, connect } = words.about;
  const asJson = (value: object) => JSON.stringify(value, null, 2);
  return (
    <>
      <Code said={mcpText} code={links.mcp} />
      <p>{mcpPublic}</p>
      <h3>Claude</h3>
      <p>{connect.claude}</p>
      <h3>Claude Code</h3>
      <Code
        said={connect.terminal}
        code={`claude mcp add --transport http pet-alert ${links.mcp}`}
      />
      <h3>ChatGPT</h3>
      <p>{connect.chatgpt}</p>
      <h3>Cursor</h3>
      <Code
        said={connect.file("~/.cursor/mcp.json")}
        code={asJson({ mcpServers: { "pet-alert": { url: links.mcp } } })}
      />
      <h3>VS Code</h3>
      <Code
        said={connect.file(".vscode/mcp.json")}
        code={asJson({ servers: { "pet-alert": { type: "http", url: links.mcp } } })}
      />
    </>
  );
}

function OnOtherSites({ frame: { words, links } }: { readonly frame: Frame }) {
  const { title } = words.home;
  const snippet = `<iframe src="${links.embed}?place=Lyon" title="${title}" width="100%" height="480" frameborder="0" loading="lazy"></iframe>`;
  return (
    <>
      <Code said={words.embed.text} code={snippet} />
      <Code
        said={words.embed.filters}
        code="radius_km species type limit lang theme=light theme=dark"
      />
    </>
  );
}

function Code({ said, code }: { readonly said: string; readonly code: string }) {
  return (
    <p>
      {said}
      <code>{code}</code>
    </p>
  );
}

function List({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}
