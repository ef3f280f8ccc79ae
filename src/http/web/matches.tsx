import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { type MatchFace, type PairView, WORTH_SHOWING } from "../../core/matching.ts";
import { AlertLine, readerOf } from "./alert-line.tsx";
import { readForm } from "./form.ts";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";

/** The page behind a match letter: two alerts side by side, and "not the same animal". */
export function createPairPages({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/pair/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, pairPage(frame, token, await service.pair(token)));
  });

  pages.post("/pair/:token", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.notMyPet(token);
    return show(c, frame, pairPage(frame, token, await service.pair(token)));
  });

  return pages;
}

function pairPage(frame: Frame, token: string, pair: PairView): Page {
  const words = frame.words.matches;
  return {
    title: words.pairTitle,
    access: "private",
    body: (
      <>
        <h1>{words.pairTitle}</h1>
        {pair.ended && (
          <p class="notice" role="status">
            {words.ended}
          </p>
        )}
        <Half frame={frame} title={words.other} alert={pair.other} gone={words.otherGone} />
        {pair.other?.reachable && !pair.ended && (
          <p class="act">
            <a class="button" href={local(pair.other.contactUrl)}>
              {frame.words.contact.title[readerOf(pair.other)]}
            </a>
          </p>
        )}
        <Half frame={frame} title={words.mine} alert={pair.mine} gone={words.mineGone} />
        {!pair.ended && (
          <form method="post" action={local(frame.links.pair(token))}>
            <button class="quiet" type="submit">
              {words.notMine}
            </button>
            <p class="hint">{words.notMineHint}</p>
          </form>
        )}
      </>
    ),
  };
}

function Half({
  frame,
  title,
  alert,
  gone,
}: {
  readonly frame: Frame;
  readonly title: string;
  readonly alert: PublicAlert | null;
  readonly gone: string;
}) {
  return (
    <section>
      <h2>{title}</h2>
      {alert === null ? <p>{gone}</p> : <AlertLine frame={frame} alert={alert} level={3} />}
    </section>
  );
}

/** Matches an alert's page shows at most. */
export const MATCHES_SHOWN = 5;

/** What could be the same animal, on an alert's page; nothing when nothing could. */
export function Matches({
  frame,
  alert,
  matches,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly matches: readonly MatchFace[];
}) {
  const words = frame.words.matches;
  const shown = matches.filter((match) => match.score >= WORTH_SHOWING);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="matches">
      <h2 id="matches">{words.title[alert.type]}</h2>
      <p class="quiet">{words.hint}</p>
      <MatchList frame={frame} matches={shown} level={3} />
    </section>
  );
}

/** Alerts with how likely each is the same animal, and why. */
export function MatchList({
  frame,
  matches,
  level,
}: {
  readonly frame: Frame;
  readonly matches: readonly MatchFace[];
  readonly level: 2 | 3;
}) {
  return (
    <>
      {matches.map((match) => (
        <div class="match">
          <AlertLine frame={frame} alert={match.alert} level={level} />
          <div class="why">
            <p>
              <strong>{frame.words.matches.score(match.score)}</strong>
            </p>
            <ul>
              {match.reasons.map((reason) => (
                <li dir="auto">{reason}</li>
              ))}
            </ul>
          </div>
        </div>
      ))}
    </>
  );
}
