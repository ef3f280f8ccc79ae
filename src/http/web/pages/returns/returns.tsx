/** @jsxImportSource hono/jsx */
import { LinkLine } from "../../components/elements.tsx";
import { PLAN_MESSAGES } from "../../../../messages/messages.ts";
import type { Returns } from "../../../../core/outcomes/home-again.ts";
import { CELL_MIN } from "../../../../core/outcomes/outcome.ts";
import { type Page, type PageContext, usePage, type Web } from "../../layout/layout.tsx";
import { type Species, SPECIES } from "../../../../values/animal.ts";

/** Page about how animals came home here, by what their owners said. */
export function returnsRoutes({ get, service }: Web): void {
  get("/returns", async (_, ctx) => {
    const [returns, count] = [
      await service.outcomes.returns(),
      await service.outcomes.homeAgainCount(),
    ];
    return returnsPage(ctx, returns, count);
  });
}

function returnsPage(ctx: PageContext, { ways, steps }: Returns, count: number | null): Page {
  const { t, links } = ctx;
  const text = t.returns;
  const species = SPECIES.filter((one) =>
    [...ways, ...steps].some((counted) => counted.species === one),
  );
  return {
    title: text.title,
    access: "public",
    canonical: links.returns,
    body: (
      <div class="about">
        <h1>{text.title}</h1>
        {count !== null && <p class="lead">{t.home.again.count({ count })}</p>}
        <p>{text.lead}</p>
        {species.length === 0 && <p>{text.none}</p>}
        {species.map((one) => (
          <SpeciesReturns
            species={one}
            ways={ways.filter((counted) => counted.species === one)}
            steps={steps.filter((counted) => counted.species === one)}
          />
        ))}
        <p class="quiet">{text.cells({ min: CELL_MIN })}</p>
        <LinkLine to={`${links.about}#first`} label={t.about.first} />
      </div>
    ),
  };
}

function SpeciesReturns({ species, ways, steps }: Returns & { species: Species }) {
  const { t } = usePage();
  const texts = PLAN_MESSAGES[t.language];
  return (
    <section aria-labelledby={species}>
      <h2 id={species}>{t.species[species]}</h2>
      <Numbers
        caption={t.returns.ways}
        label={t.outcome.how}
        rows={ways.map(({ by, animals }) => [t.outcome.ways[by], animals])}
      />
      <Numbers
        caption={t.returns.steps}
        label={t.returns.step}
        rows={steps.map(({ by, animals }) => [texts[by].title, animals])}
      />
    </section>
  );
}

function Numbers(props: {
  caption: string;
  /** Heading of the first column. */
  label: string;
  rows: readonly (readonly [string, number])[];
}) {
  const { t } = usePage();
  const { caption, label, rows } = props;
  if (rows.length === 0) return null;
  return (
    <table class="figures">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{t.returns.animals}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, animals]) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{animals}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
