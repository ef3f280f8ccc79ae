/** @jsxImportSource hono/jsx */
import {
  ButtonLink,
  Section,
  Submit,
  privatePage,
  StatusNotice,
} from "../../components/elements.tsx";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { type MatchView, type PairView } from "../../../../core/matches/find-matches.ts";
import { AlertCard } from "../../components/alert.tsx";
import { type PageContext, type Page, type Web, usePage, local } from "../../layout/layout.tsx";

/** Page behind the link of a match email: two alerts side by side, and "not the same animal". */
export function pairRoutes({ get, post, service }: Web): void {
  get("/pair/:token", async (_, ctx, { token }) =>
    pairPage(ctx, token, await service.matches.pair(token, ctx.t.language)),
  );

  post("/pair/:token", async (_, ctx, { token }) => {
    await service.matches.notMyPet(token);
    return ctx.links.pair(token);
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
      {pair.match !== null && !pair.match.isCopy && !pair.ended && (
        <>
          <p class="lead">{text.chance({ percent: pair.match.score })}</p>
          <meter min="0" max="100" value={pair.match.score}>
            {text.score({ percent: pair.match.score })}
          </meter>
        </>
      )}
      <div class="pair">
        <section>
          <h2>{text.mine}</h2>
          <PairedAlert alert={pair.mine} gone={text.mineGone} />
        </section>
        <section>
          <h2>{text.other}</h2>
          <PairedAlert alert={pair.other} gone={text.otherGone} />
        </section>
      </div>
      {pair.match !== null && !pair.ended && <Why match={pair.match} />}
      {pair.mine !== null && pair.other?.reachable && !pair.ended && (
        <p class="act">
          <ButtonLink to={pair.other.contactUrl} label={text.yes[pair.mine.type]} isMain />
        </p>
      )}
      {!pair.ended && (
        <form method="post" action={local(ctx.links.pair(token))}>
          <Submit label={text.notMine} class="quiet" />
          <p class="hint">{text.notMineHint}</p>
        </form>
      )}
    </>,
  );
}

function PairedAlert({ alert, gone }: { alert: PublicAlert | null; gone: string }) {
  return alert === null ? <p>{gone}</p> : <AlertCard alert={alert} level={3} />;
}

/** Most matches on the page of an alert. */
export const MATCHES_SHOWN = 5;

/** Possible matches on the page of an alert, with the way to write for its owner; empty without any. */
export function Matches({
  alert,
  matches,
  canWrite = false,
}: {
  alert: PublicAlert;
  matches: readonly MatchView[];
  canWrite?: boolean;
}) {
  const { t } = usePage();
  const text = t.matches;
  if (matches.length === 0) return null;
  return (
    <Section id="matches" title={text.title[alert.type]}>
      <p class="quiet">{text.hint}</p>
      <MatchList matches={matches} level={3} canWrite={canWrite} />
    </Section>
  );
}

/** Matches with score, the sentence about each, its reasons, and what to ask; `canWrite` adds the way to write. */
export function MatchList({
  matches,
  level,
  canWrite = false,
}: {
  matches: readonly MatchView[];
  level: 2 | 3;
  canWrite?: boolean;
}) {
  const { t } = usePage();
  return (
    <>
      {matches.map((match) => (
        <div class="match">
          <AlertCard alert={match.alert} level={level} />
          <div>
            {!match.isCopy && <p class="chance">{t.matches.score({ percent: match.score })}</p>}
            <Why match={match} />
            {canWrite && match.alert.reachable && (
              <p class="act">
                <ButtonLink
                  to={match.alert.contactUrl}
                  label={t.matches.yes[match.alert.type === "lost" ? "found" : "lost"]}
                  isMain
                />
              </p>
            )}
          </div>
        </div>
      ))}
    </>
  );
}

/** The sentence about a match, its reasons, and what to ask. */
function Why({ match }: { match: MatchView }) {
  return (
    <div class="why">
      <p dir="auto">{match.summary}</p>
      <ul>
        {match.reasons.map((reason) => (
          <li dir="auto">{reason}</li>
        ))}
      </ul>
      {match.ask !== null && <p class="ask">{match.ask}</p>}
    </div>
  );
}
