import { Hono } from "hono";
import { type Frame, type Page, show, type Web, type WebEnv } from "./frame.tsx";

const GEONAMES = "https://www.geonames.org/";

/** What this service is, what it keeps, its limits, and where programs find it. */
export function createAbout({ frameOf }: Web): Hono<WebEnv> {
  const about = new Hono<WebEnv>();
  about.get("/about", (c) => {
    const frame = frameOf(c);
    return show(c, frame, aboutPage(frame));
  });
  return about;
}

function aboutPage(frame: Frame): Page {
  const { links, siteName } = frame;
  const words = frame.words.about;
  return {
    title: words.title,
    access: "public",
    head: <link rel="canonical" href={links.about} />,
    body: (
      <>
        <h1>{words.title}</h1>
        <p class="lead">{words.lead(siteName)}</p>
        <h2>{words.how}</h2>
        <List of={words.howItems} />
        <h2>{words.privacy}</h2>
        <List of={words.privacyItems} />
        <h2>{words.limits}</h2>
        <p>{words.limitsLead}</p>
        <List of={words.limitItems} />
        <h2>{words.machines}</h2>
        <p>
          {words.apiText}
          <code>{`${links.api}/alerts`}</code>
        </p>
        <p>
          {words.mcpText}
          <code>{links.mcp}</code>
        </p>
        <h2>{words.thanks}</h2>
        <p>
          {words.gazetteer} <a href={GEONAMES}>GeoNames</a>, {words.license}
        </p>
      </>
    ),
  };
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
