/** @jsxImportSource hono/jsx */
import { ENDPOINT_MAX } from "../../../../core/push/push-services.ts";
import { badInput } from "../../../../core/input.ts";
import type { ToldAbout } from "../../../../core/push/devices.ts";
import { ZoneFacts } from "../confirm/review.tsx";
import { AlertCard } from "../../components/alert.tsx";
import { privatePage, StatusNotice } from "../../components/text-page.tsx";
import { readForm } from "../../form/form.ts";
import { local, type Page, type PageContext, seeOther, type Web, usePage } from "../../layout.tsx";

/** Page about what this device is told of. Its script sends the address by which the browser is told. */
export function deviceRoutes({ get, post, service }: Web): void {
  get("/device", (c, ctx) => {
    const { done } = c.req.query();
    const text = ctx.t.device;
    const notice = done === "added" ? text.added : done === "stopped" ? text.stopped : null;
    return devicePage(ctx, notice, null);
  });

  post("/device", async (c, ctx) => {
    const { endpoint } = await readForm(c, ["endpoint"]);
    const address = endpointOf(endpoint);
    return devicePage(ctx, null, { endpoint: address, about: await service.toldAbout(address) });
  });

  post("/device/stop", async (c, ctx) => {
    const { endpoint, subject } = await readForm(c, ["endpoint", "subject"]);
    await service.stopTelling(endpointOf(endpoint), subject ?? null);
    return seeOther(c, `${local(ctx.links.device)}?done=stopped`);
  });
}

function endpointOf(text: string | undefined): string {
  if (text === undefined || text.length === 0 || text.length > ENDPOINT_MAX)
    throw badInput([{ field: "endpoint", reason: { kind: "not_valid" } }]);
  return text;
}

type Told = { readonly endpoint: string; readonly about: readonly ToldAbout[] };

/** `told` is null until the script has sent the address of the device. */
function devicePage(ctx: PageContext, notice: string | null, told: Told | null): Page {
  const { t, links } = ctx;
  const text = t.device;
  const page = privatePage(
    text.title,
    <>
      <StatusNotice text={notice} />
      {told === null || told.about.length === 0 ? (
        <div data-told={told === null ? local(links.device) : undefined}>
          <p class="lead">{text.nothing}</p>
          <p>
            <a class="button quiet" href={local(links.subscribe)}>
              {t.subscribe.title}
            </a>
          </p>
        </div>
      ) : (
        <ToldList told={told} />
      )}
    </>,
  );
  return { ...page, scripts: told === null ? ["device"] : [] };
}

function ToldList({ told: { endpoint, about } }: { told: Told }) {
  const { t, links } = usePage();
  const text = t.device;
  const stop = `${local(links.device)}/stop`;
  return (
    <>
      <p class="lead">{text.lead}</p>
      {about.map((one) => (
        <section class="panel">
          {one.kind === "owner" ? (
            <AlertCard alert={one.alert} level={2} />
          ) : (
            <ZoneFacts zone={one.zone} />
          )}
          <form method="post" action={stop}>
            <input type="hidden" name="endpoint" value={endpoint} />
            <input type="hidden" name="subject" value={one.subject} />
            <button class="quiet" type="submit">
              {text.stop}
            </button>
          </form>
        </section>
      ))}
      {about.length > 1 && (
        <form class="apart" method="post" action={stop}>
          <input type="hidden" name="endpoint" value={endpoint} />
          <button class="quiet" type="submit">
            {text.stopAll}
          </button>
        </form>
      )}
    </>
  );
}
