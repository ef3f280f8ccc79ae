/** @jsxImportSource hono/jsx */
import { ButtonForm, ButtonLine, privatePage, StatusNotice } from "../../components/elements.tsx";
import { ENDPOINT_MAX } from "../../../../core/push/push-services.ts";
import { badInput } from "../../../../core/input.ts";
import type { DeviceTopicView } from "../../../../core/push/devices.ts";
import { ZoneFacts } from "../../components/zone.tsx";
import { AlertCard } from "../../components/alert.tsx";
import { readForm } from "../../form/form.ts";
import { local, type Page, type PageContext, type Web, usePage } from "../../layout/layout.tsx";

/** Page with the notifications of this device. Its script sends the address of the browser at its push service. */
export function deviceRoutes({ get, post, service }: Web): void {
  get("/device", (c, ctx) => {
    const { done } = c.req.query();
    const text = ctx.t.device;
    const notice =
      done === "added" ? ctx.t.manage.done.device : done === "stopped" ? text.stopped : null;
    return devicePage(ctx, notice, null);
  });

  post("/device", async (c, ctx) => {
    const { endpoint } = await readForm(c, ["endpoint"]);
    const address = endpointOf(endpoint);
    return devicePage(ctx, null, {
      endpoint: address,
      topics: await service.devices.deviceTopics(address),
    });
  });

  post("/device/stop", async (c, ctx) => {
    const { endpoint, subject } = await readForm(c, ["endpoint", "subject"]);
    await service.devices.endDeviceTopics(endpointOf(endpoint), subject ?? null);
    return `${ctx.links.device}?done=stopped`;
  });
}

function endpointOf(text: string | undefined): string {
  if (text === undefined || text.length === 0 || text.length > ENDPOINT_MAX)
    throw badInput([{ field: "endpoint", reason: { kind: "not_valid" } }]);
  return text;
}

type Device = { readonly endpoint: string; readonly topics: readonly DeviceTopicView[] };

/** `device` is null until the script has sent the address of the device. */
function devicePage(ctx: PageContext, notice: string | null, device: Device | null): Page {
  const { t, links } = ctx;
  const text = t.device;
  const page = privatePage(
    text.title,
    <>
      <StatusNotice text={notice} />
      {device === null || device.topics.length === 0 ? (
        <div data-topics={device === null ? local(links.device) : undefined}>
          <p class="lead">{text.nothing}</p>
          <ButtonLine to={links.subscribe} label={t.subscribe.title} />
        </div>
      ) : (
        <TopicList device={device} />
      )}
    </>,
  );
  return { ...page, scripts: device === null ? ["device"] : [] };
}

function TopicList({ device: { endpoint, topics } }: { device: Device }) {
  const { t, links } = usePage();
  const text = t.device;
  const stop = `${local(links.device)}/stop`;
  return (
    <>
      <p class="lead">{text.lead}</p>
      {topics.map((one) => (
        <section class="panel">
          {one.kind === "owner" ? (
            <AlertCard alert={one.alert} level={2} />
          ) : (
            <ZoneFacts zone={one.zone} />
          )}
          <ButtonForm
            action={stop}
            fields={{ endpoint, subject: one.subject }}
            label={text.stop}
            class="quiet"
          />
        </section>
      ))}
      {topics.length > 1 && (
        <div class="apart">
          <ButtonForm action={stop} fields={{ endpoint }} label={text.stopAll} class="quiet" />
        </div>
      )}
    </>
  );
}
