/** @jsxImportSource hono/jsx */
import { type PublicAlert, readerOf } from "../../../../core/alerts/alert.ts";
import {
  type MatchView,
  type PairView,
  SHOWN_SCORE_MIN,
} from "../../../../core/matching/find-matches.ts";
import { AlertCard } from "../../components/alert.tsx";
import { readForm } from "../../form/form.ts";
import { privatePage, StatusNotice } from "../../components/text-page.tsx";
import { type PageContext, local, type Page, type Web, usePage } from "../../layout.tsx";

/** Page behind the link of a match email: two alerts side by side, and "not the same animal". */
export function pairRoutes({ get, post, service }: Web): void {
  get("/pair/:token", async (c, ctx) => {
    const token = c.req.param("token");
    return pairPage(ctx, token, await service.pair(token));
  });

  post("/pair/:token", async (c, ctx) => {
    await readForm(c, []);
    const token = c.req.param("token");
    await service.notMyPet(token);
    return pairPage(ctx, token, await service.pair(token));
  });
}

function pairPage(ctx: PageContext, token: string, pair: PairView): Page {
  const text = ctx.t.matches;
  return privatePage(
    text.pairTitle,
    <>
      <StatusNotice text={pair.ended ? text.ended : null} />
      {pair.sameChip && (
        <p class="notice">
          <strong>{text.sameChip}</strong>
        </p>
      )}
      <PairedAlert title={text.other} alert={pair.other} gone={text.otherGone} />
      {pair.other?.reachable && !pair.ended && (
        <p class="act">
          <a class="button" href={local(pair.other.contactUrl)}>
            {ctx.t.contact.title[readerOf(pair.other)]}
          </a>
        </p>
      )}
      <PairedAlert title={text.mine} alert={pair.mine} gone={text.mineGone} />
      {!pair.ended && (
        <form method="post" action={local(ctx.links.pair(token))}>
          <button class="quiet" type="submit">
            {text.notMine}
          </button>
          <p class="hint">{text.notMineHint}</p>
        </form>
      )}
    </>,
  );
}

function PairedAlert(props: { title: string; alert: PublicAlert | null; gone: string }) {
  const { title, alert, gone } = props;
  return (
    <section>
      <h2>{title}</h2>
      {alert === null ? <p>{gone}</p> : <AlertCard alert={alert} level={3} />}
    </section>
  );
}

/** Most matches on the page of an alert. */
export const MATCHES_SHOWN = 5;

/** Possible matches on the page of an alert; empty without any. */
export function Matches({ alert, matches }: { alert: PublicAlert; matches: readonly MatchView[] }) {
  const { t } = usePage();
  const text = t.matches;
  const shown = matches.filter((match) => match.score >= SHOWN_SCORE_MIN);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="matches">
      <h2 id="matches">{text.title[alert.type]}</h2>
      <p class="quiet">{text.hint}</p>
      <MatchList matches={shown} level={3} />
    </section>
  );
}

/** Matches with score and reasons. */
export function MatchList({ matches, level }: { matches: readonly MatchView[]; level: 2 | 3 }) {
  const { t } = usePage();
  return (
    <>
      {matches.map((match) => (
        <div class="match">
          <AlertCard alert={match.alert} level={level} />
          <div class="why">
            <p>
              <strong>{t.matches.score(match.score)}</strong>
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
