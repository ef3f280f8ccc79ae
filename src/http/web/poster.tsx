import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { withoutScheme } from "./share.tsx";
import { headlineOf, placeOf } from "./alert-line.tsx";
import { Fitted, Strip } from "./fitted.tsx";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { Animal } from "./icon.tsx";

const PAPERS = ["a4", "letter"] as const;
const SHEETS = ["tear", "far"] as const;
type Choice = {
  readonly paper: (typeof PAPERS)[number];
  readonly sheet: (typeof SHEETS)[number];
};

/** Where US Letter is what lies in printers. Source: Unicode CLDR 46, supplemental data, `paperSize`. */
const LETTER_COUNTRIES = "BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split(" ");
/** Strips to tear off: about 23 mm wide each. */
const STRIPS = 9;
/** The code with its quiet zone, in pixels: about 280 to the inch as the sheet prints it. */
const QR_PX = 512;

/** Sheets to print and hang up. They hold no contact details: only the short address and its code. */
export function createPoster({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/alerts/:name/poster", async (c) => {
    const frame = frameOf(c);
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(frame.links.poster(alert.slug), 301);
    if (alert.status !== "active") return show(c, frame, overPage(frame, alert, alert.status), 409);
    const choice = {
      paper: PAPERS.find((paper) => paper === c.req.query("paper")) ?? paperOf(alert.countryCode),
      sheet: SHEETS.find((sheet) => sheet === c.req.query("sheet")) ?? "tear",
    };
    return show(c, frame, posterPage(frame, alert, choice));
  });

  return pages;
}

function paperOf(countryCode: string): Choice["paper"] {
  return LETTER_COUNTRIES.includes(countryCode) ? "letter" : "a4";
}

function overPage(frame: Frame, alert: PublicAlert, status: "resolved" | "expired"): Page {
  const { words } = frame;
  return {
    title: words.poster.title,
    access: "private",
    body: (
      <>
        <h1>{words.poster.title}</h1>
        <p class="lead">{words.poster.over[status]}</p>
        <p>
          <a href={local(alert.url)}>{words.poster.back}</a>
        </p>
      </>
    ),
  };
}

function posterPage(frame: Frame, alert: PublicAlert, choice: Choice): Page {
  const { words } = frame;
  const say = words.poster;
  return {
    title: `${say.title}: ${headlineOf(words, alert)}`,
    access: "public",
    head: (
      <>
        <link rel="canonical" href={alert.url} />
        <meta name="robots" content="noindex" />
      </>
    ),
    scripts: ["page"],
    body: (
      <>
        <div class="unprinted">
          <h1>{say.title}</h1>
          <p>{choice.sheet === "far" ? say.far : say.lead}</p>
          <Choices frame={frame} alert={alert} choice={choice} />
          <p>
            <button type="button" data-print hidden>
              {say.print}
            </button>
          </p>
          <p>
            <a href={local(alert.url)}>{say.back}</a>
          </p>
        </div>
        <section class={`sheet ${choice.paper}`} aria-label={say.preview}>
          {choice.sheet === "far" ? (
            <FarSheet frame={frame} alert={alert} />
          ) : (
            <TearSheet frame={frame} alert={alert} />
          )}
        </section>
      </>
    ),
  };
}

function Choices({
  frame,
  alert,
  choice,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly choice: Choice;
}) {
  const { poster: say } = frame.words;
  const sheets = SHEETS.map((sheet) => ({
    label: say.sheets[sheet],
    choice: { ...choice, sheet },
  }));
  const papers = PAPERS.map((paper) => ({
    label: say.papers[paper],
    choice: { ...choice, paper },
  }));
  return (
    <>
      {[
        { label: say.sheet, options: sheets },
        { label: say.paper, options: papers },
      ].map(({ label, options }) => (
        <nav class="choices" aria-label={label}>
          <span>{label}</span>
          <ul>
            {options.map((option) => (
              <li>
                <a
                  href={`${local(frame.links.poster(alert.slug))}?${new URLSearchParams(option.choice)}`}
                  aria-current={isSame(option.choice, choice) ? "true" : undefined}
                >
                  {option.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </>
  );
}

function isSame(a: Choice, b: Choice): boolean {
  return a.paper === b.paper && a.sheet === b.sheet;
}

type SheetProps = { readonly frame: Frame; readonly alert: PublicAlert };

/** For walls and lamp posts, read from near: everything, and strips to take along. */
function TearSheet({ frame, alert }: SheetProps) {
  const { words, links } = frame;
  const say = words.poster;
  const shout = shouted(frame, words.headline[alert.type][alert.species]);
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown").join(", ");
  const address = withoutScheme(links.short(alert.shortCode));
  return (
    <>
      <Fitted class="shout" text={shout} />
      <Picture frame={frame} alert={alert} />
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
        <p class="sheet-when">{say.on[alert.type](words.day(alert.eventDate))}</p>
        <p class="sheet-when" dir="auto">
          {say.near(placeOf(words, alert))}
        </p>
      </div>
      <div class="sheet-call">
        <img src={`${local(alert.qrUrl)}?size=${QR_PX}`} alt={words.alert.qr(address)} />
        <div>
          <p class="sheet-ask">{say.call[alert.type]}</p>
          <Fitted class="sheet-address" text={address} />
          <p class="sheet-scan">{say.scan}</p>
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

/** For crossings, read in a moving car: five words at most, the photo and the short address. */
function FarSheet({ frame, alert }: SheetProps) {
  const { words, links } = frame;
  const headline = shouted(frame, words.headline[alert.type][alert.species]).split(" ");
  const looks = fewWords(alert.color);
  return (
    <>
      {headline.map((word) => (
        <Fitted class="far-shout" text={word} />
      ))}
      <Picture frame={frame} alert={alert} />
      {looks !== null && <Fitted class="far-looks" text={shouted(frame, looks)} />}
      <Fitted class="far-address" text={withoutScheme(links.short(alert.shortCode))} />
    </>
  );
}

function Picture({ frame, alert }: SheetProps) {
  const [photo] = alert.photos;
  return (
    <div class="sheet-photo">
      {photo === undefined ? (
        <Animal species={alert.species} />
      ) : (
        <img src={local(photo)} alt={headlineOf(frame.words, alert)} />
      )}
    </div>
  );
}

function shouted({ words }: Frame, text: string): string {
  return text.toLocaleUpperCase(words.language);
}

/** Two words say what happened; more than three others take too long to read. */
const FAR_WORDS_MAX = 3;
const FAR_LETTERS_MAX = 24;

/** A colour as the far sheet shows it; null when it is not known or would take too long to read. */
function fewWords(color: string): string | null {
  const tooMany = color.split(" ").length > FAR_WORDS_MAX || color.length > FAR_LETTERS_MAX;
  return color === "unknown" || tooMany || color.includes("[") ? null : color;
}

/** Letters up to which a text is printed large, and up to which not yet small. */
const NAME_LETTERS = [12, 26] as const;
const LOOKS_LETTERS = [36, 80] as const;

function lengthOf(text: string, [short, medium]: readonly [number, number]): string {
  const letters = [...text].length;
  if (letters <= short) return "short";
  return letters <= medium ? "medium" : "long";
}
