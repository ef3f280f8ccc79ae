/** @jsxImportSource hono/jsx */
import { LinkLine, lastPage } from "../../components/elements.tsx";
import { animalHeadline, eventDay } from "../../../../core/alerts/alert-text.ts";
import { appearanceOf, type PublicAlert } from "../../../../core/alerts/alert.ts";
import type { HelpNearby } from "../../../../core/help.ts";
import type { OrganisationView } from "../../../../core/organisations/organisation.ts";
import { withoutScheme } from "../../components/share.tsx";
import { Drawing, headlineOf, placeOf, whereOf } from "../../components/alert.tsx";
import { Fitted, Strip } from "./fitted-text.tsx";
import {
  type PageContext,
  local,
  type Page,
  renderPage,
  type Web,
  usePage,
} from "../../layout/layout.tsx";

const PAPERS = ["a4", "letter"] as const;
const SHEETS = ["tear", "far", "flyers"] as const;
type PosterChoice = {
  readonly paper: (typeof PAPERS)[number];
  readonly sheet: (typeof SHEETS)[number];
};

/** Countries that print on US Letter. Source: Unicode CLDR 46, supplemental data, `paperSize`. */
const LETTER_COUNTRIES = "BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split(" ");
/** Number of tear-off strips: about 23 mm wide each. */
const STRIPS = 9;
/** Size of the QR code with its quiet zone, in pixels: about 280 dpi in print. */
const QR_PX = 512;
/** Flyers on one sheet, which is cut into quarters. */
const FLYERS = 4;

/** Printable posters: the short link, its QR code, and how to reach the organisation that published the alert, if any. */
export function posterRoutes({ get, service }: Web): void {
  get("/alerts/:name/poster", async (c, ctx) => {
    const alert = await service.alerts.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(ctx.links.poster(alert.slug), 301);
    if (alert.status !== "active")
      return renderPage(c, ctx, overPage(ctx, alert, alert.status), 409);
    const choice = {
      paper: PAPERS.find((paper) => paper === c.req.query("paper")) ?? paperOf(alert.countryCode),
      sheet: SHEETS.find((sheet) => sheet === c.req.query("sheet")) ?? "tear",
    };
    const organisation = await service.organisations.publisherOf(alert);
    return posterPage(ctx, { alert, organisation }, choice, service.places.helpNear(alert));
  });
}

function paperOf(countryCode: string): PosterChoice["paper"] {
  return LETTER_COUNTRIES.includes(countryCode) ? "letter" : "a4";
}

function overPage(ctx: PageContext, alert: PublicAlert, status: "resolved" | "expired"): Page {
  const { title, over, back } = ctx.t.poster;
  return lastPage(ctx, title, [over[status]], { to: alert.url, label: back });
}

function posterPage(
  ctx: PageContext,
  { alert, organisation }: TearSheetProps,
  choice: PosterChoice,
  help: HelpNearby,
): Page {
  const { t } = ctx;
  const text = t.poster;
  return {
    title: `${text.title}: ${headlineOf(t, alert)}`,
    access: "public",
    head: (
      <>
        <link rel="canonical" href={alert.url} />
        <meta name="robots" content="noindex" />
      </>
    ),
    body: (
      <>
        <div class="unprinted">
          <h1>{choice.sheet === "flyers" ? text.flyersLink : text.title}</h1>
          <p>{{ tear: text.lead, far: text.far, flyers: text.flyers }[choice.sheet]}</p>
          <Choices alert={alert} choice={choice} />
          <p>
            <button type="button" data-print hidden>
              {text.print}
            </button>
          </p>
          <LinkLine to={alert.url} label={text.back} />
        </div>
        <section class={`sheet ${choice.paper}`} aria-label={text.preview}>
          {choice.sheet === "tear" && <TearSheet alert={alert} organisation={organisation} />}
          {choice.sheet === "far" && <FarSheet alert={alert} />}
          {choice.sheet === "flyers" && <FlyerSheet alert={alert} help={help} />}
        </section>
      </>
    ),
  };
}

function Choices({ alert, choice }: { alert: PublicAlert; choice: PosterChoice }) {
  const { t, links } = usePage();
  const { poster: text } = t;
  const sheets = SHEETS.map((sheet) => [text.sheets[sheet], { ...choice, sheet }] as const);
  const papers = PAPERS.map((paper) => [text.papers[paper], { ...choice, paper }] as const);
  return (
    <>
      {[
        { label: text.sheet, options: sheets },
        { label: text.paper, options: papers },
      ].map(({ label, options }) => (
        <nav class="choices" aria-label={label}>
          <span>{label}</span>
          <ul>
            {options.map(([name, option]) => (
              <li>
                <a
                  href={`${local(links.poster(alert.slug))}?${new URLSearchParams(option)}`}
                  aria-current={isSame(option, choice) ? "true" : undefined}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </>
  );
}

function isSame(a: PosterChoice, b: PosterChoice): boolean {
  return a.paper === b.paper && a.sheet === b.sheet;
}

type SheetProps = { readonly alert: PublicAlert };
type TearSheetProps = SheetProps & { readonly organisation: OrganisationView | null };

/** Poster for walls and lamp posts: all details and tear-off strips. */
function TearSheet({ alert, organisation }: TearSheetProps) {
  const ctx = usePage();
  const { t, links } = ctx;
  const text = t.poster;
  const shout = shouted(ctx, animalHeadline(t, alert));
  const looks = appearanceOf(alert);
  const address = withoutScheme(links.short(alert.shortCode));
  return (
    <>
      <Fitted class={`shout band ${alert.type}`} text={shout} />
      <Picture alert={alert} />
      <div class="sheet-text">
        {alert.name !== null && (
          <p class={`sheet-name ${lengthOf(alert.name, NAME_LETTERS)}`} dir="auto">
            {alert.name}
          </p>
        )}
        {looks !== "" && (
          <p class={`sheet-looks ${lengthOf(looks, LOOKS_LETTERS)}`} dir="auto">
            {looks}
          </p>
        )}
        <p class="sheet-when">{text.on[alert.type]({ day: eventDay(t, alert) })}</p>
        <p class="sheet-when" dir="auto">
          {alert.landmark === null
            ? text.near({ place: placeOf(ctx, alert) })
            : whereOf(ctx, alert)}
        </p>
      </div>
      <div class="sheet-call">
        <img src={`${local(alert.qrUrl)}?size=${QR_PX}`} alt={t.alert.qr({ link: address })} />
        <div>
          <p class="sheet-ask">{text.call[alert.type]}</p>
          <Fitted class="sheet-address" text={address} />
          {alert.type === "lost" && <p class="sheet-calm">{text.calm}</p>}
          <p class="sheet-scan">{text.scan}</p>
          {organisation !== null && <SheetOrganisation organisation={organisation} />}
        </div>
      </div>
      <ul class="strips" aria-hidden="true">
        {Array.from({ length: STRIPS }, () => (
          <li>
            <Strip lines={[shout, address.slice(0, -alert.shortCode.length), alert.shortCode]} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Name, telephone, address and opening hours of the organisation that published the alert. */
function SheetOrganisation({ organisation }: { organisation: OrganisationView }) {
  const { name, phone, address, hours } = organisation;
  const rest = [address, hours].filter((text) => text !== null);
  return (
    <>
      <p class="sheet-organisation" dir="auto">
        {[name, phone].filter((text) => text !== null).join(" · ")}
      </p>
      {rest.length > 0 && (
        <p class="sheet-scan" dir="auto">
          {rest.join(" · ").replaceAll("\n", ", ")}
        </p>
      )}
    </>
  );
}

/** Poster for crossroads, readable from a car: five words at most, the photo and the short link. */
function FarSheet({ alert }: SheetProps) {
  const ctx = usePage();
  const { t, links } = ctx;
  const headline = shouted(ctx, animalHeadline(t, alert)).split(" ");
  const looks = fewWords(alert.color);
  return (
    <>
      {headline.map((word) => (
        <Fitted class={`far-shout band ${alert.type}`} text={word} />
      ))}
      <Picture alert={alert} />
      {looks !== null && <Fitted class="far-looks" text={shouted(ctx, looks)} />}
      <Fitted class="far-address" text={withoutScheme(links.short(alert.shortCode))} />
    </>
  );
}

/** Four flyers for the nearest doors, to be cut apart. They are alike, so only the first is read out. */
function FlyerSheet({ alert, help }: SheetProps & { help: HelpNearby }) {
  return (
    <div class="flyers">
      {Array.from({ length: FLYERS }, (_, at) => (
        <div class="flyer" aria-hidden={at > 0 ? "true" : undefined}>
          <Flyer alert={alert} help={help} />
        </div>
      ))}
    </div>
  );
}

function Flyer({ alert, help }: SheetProps & { help: HelpNearby }) {
  const ctx = usePage();
  const { t, links } = ctx;
  const text = t.poster;
  const looks = appearanceOf(alert);
  const address = withoutScheme(links.short(alert.shortCode));
  const urgent = urgentHelp(help);
  return (
    <>
      <Fitted class={`shout band ${alert.type}`} text={shouted(ctx, animalHeadline(t, alert))} />
      <Picture alert={alert} />
      <div class="sheet-text">
        {alert.name !== null && (
          <p class="flyer-name" dir="auto">
            {alert.name}
          </p>
        )}
        {looks !== "" && <p dir="auto">{looks}</p>}
        <p dir="auto">
          {text.on[alert.type]({ day: eventDay(t, alert) })} ·{" "}
          {alert.landmark === null
            ? text.near({ place: placeOf(ctx, alert) })
            : whereOf(ctx, alert)}
        </p>
      </div>
      <p class="flyer-look">{text.look[alert.type]}</p>
      <div class="flyer-call">
        <img src={`${local(alert.qrUrl)}?size=${QR_PX}`} alt={t.alert.qr({ link: address })} />
        <div>
          <p>{text.call[alert.type]}</p>
          <Fitted class="flyer-address" text={address} />
          {urgent !== null && <p class="flyer-urgent">{text.hurt(urgent)}</p>}
        </div>
      </div>
    </>
  );
}

/** Nearest number to call for a hurt animal: that of a rescue, or else of a vet. */
function urgentHelp(help: HelpNearby): { name: string; phone: string } | null {
  for (const wanted of ["rescue", "vet"] as const)
    for (const { kind, places } of help)
      for (const { name, phone } of kind === wanted ? places : [])
        if (phone !== null) return { name, phone };
  return null;
}

function Picture({ alert }: SheetProps) {
  const { t } = usePage();
  const [photo] = alert.photos;
  return (
    <div class="sheet-photo">
      {photo === undefined ? (
        <Drawing alert={alert} />
      ) : (
        <img src={local(photo)} alt={headlineOf(t, alert)} />
      )}
    </div>
  );
}

function shouted({ t }: PageContext, text: string): string {
  return text.toLocaleUpperCase(t.language);
}

/** Two words of the headline plus three: more take too long to read. */
const FAR_WORDS_MAX = 3;
const FAR_LETTERS_MAX = 24;

/** Colour on the far poster; null if unknown or too long to read. */
function fewWords(color: string): string | null {
  const tooMany = color.split(" ").length > FAR_WORDS_MAX || color.length > FAR_LETTERS_MAX;
  return color === "unknown" || tooMany || color.includes("[") ? null : color;
}

/** Most letters of large and of medium text. */
const NAME_LETTERS = [12, 26] as const;
const LOOKS_LETTERS = [36, 80] as const;

function lengthOf(text: string, [short, medium]: readonly [number, number]): string {
  const letters = [...text].length;
  if (letters <= short) return "short";
  return letters <= medium ? "medium" : "long";
}
