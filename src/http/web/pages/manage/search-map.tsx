/** @jsxImportSource hono/jsx */
import { Section, List, privatePage } from "../../components/elements.tsx";
import type { ManagedAlert } from "../../../../core/owners/owner.ts";
import { Fault } from "../../../../core/fault.ts";
import type { SearchRing, SearchRings } from "../../../../core/plan/plan.ts";
import { PLAN_SOURCES } from "../../../../core/plan/steps.ts";
import { MapBox } from "../../components/map.tsx";
import { AlertCard } from "../../components/alert.tsx";
import { local, type Page, type PageContext, usePage, type Web } from "../../layout/layout.tsx";

/** Map of where to search for a lost animal, behind the owner's private link. */
export function searchMapRoutes({ get, service }: Web): void {
  get("/manage/:token/map", async (_, ctx, { token }) => {
    const managed = await service.owners.managedAlert(token);
    const { searchRings } = managed;
    if (searchRings === null) throw new Fault("not_found", { reason: "nothing_here" });
    return searchMapPage(ctx, token, managed, searchRings);
  });
}

function searchMapPage(
  ctx: PageContext,
  token: string,
  { alert }: ManagedAlert,
  { rings, source }: SearchRings,
): Page {
  const text = ctx.t.searchMap;
  const species = alert.species === "dog" ? "dog" : "cat";
  const { title, address } = PLAN_SOURCES[source];
  const page = privatePage(
    text.title,
    <div class="search-map">
      <AlertCard alert={alert} level={2} isPrinted />
      <p class="lead unprinted">{text.lead}</p>
      <RingMap rings={rings} lat={alert.lat} lng={alert.lng} />
      <RingTable rings={rings} />
      <p class="hint unprinted">
        {ctx.t.plan.source}{" "}
        <a href={address} lang="en" rel="noopener noreferrer">
          {title}
        </a>
      </p>
      <Section id="places" title={text.places}>
        <div class="ticks">
          <List of={text.placesOf[species]} />
        </div>
      </Section>
      <p class="unprinted">
        <button type="button" data-print hidden>
          {ctx.t.poster.print}
        </button>
      </p>
      <p class="unprinted">
        <a href={`${local(ctx.links.manage(token))}#plan`}>{text.back}</a>
      </p>
    </div>,
  );
  return { ...page, scripts: ["map"] };
}

function RingMap({ rings, lat, lng }: { rings: readonly SearchRing[]; lat: number; lng: number }) {
  const { t, tiles } = usePage();
  const text = t.searchMap;
  if (tiles === null) return null;
  return (
    <>
      <MapBox
        mode="rings"
        label={text.map}
        more={{
          "data-lat": lat,
          "data-lng": lng,
          "data-rings": rings.map(({ metres }) => metres).join(" "),
          "data-placed": text.placed,
          "data-status": "#placed",
          "data-closer": "#closer",
        }}
      />
      <p class="hint unprinted" id="placed" role="status"></p>
      <div class="unprinted" id="closer" hidden>
        <p>{text.place}</p>
        <p>{text.ask({ host: new URL(tiles.url).hostname })}</p>
        <p>
          <button class="quiet" type="button">
            {text.closer}
          </button>
        </p>
      </div>
    </>
  );
}

function RingTable({ rings }: { rings: readonly SearchRing[] }) {
  const text = usePage().t.searchMap;
  return (
    <table class="figures">
      <caption>{text.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text.circle}</th>
          <th scope="col">{text.distance}</th>
          <th scope="col">{text.found}</th>
        </tr>
      </thead>
      <tbody>
        {rings.map(({ metres, percent }, at) => (
          <tr>
            <th scope="row">{at + 1}</th>
            <td>{metres < 1000 ? text.metres({ metres }) : text.km({ km: metres / 1000 })}</td>
            <td>{percent === null ? text.others : text.percent({ percent })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
