/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { parse } from "../../../../core/input.ts";
import {
  frequencyInput,
  ZONE_LABEL_MAX,
  ZONE_RADIUS_KM_DEFAULT,
  ZONE_RADIUS_KM_MAX,
  zoneInput,
} from "../../../../core/zones/zone.ts";
import {
  Select,
  type FormState,
  EmailField,
  TextField,
  optionsOf,
  Form,
  formPage,
  FrequencyField,
} from "../../form/field.tsx";
import { without, withoutEmpty, readForm, readQuery } from "../../form/form.ts";
import {
  type PageContext,
  type Page,
  type Web,
  usePage,
  onError,
  type WebEnv,
} from "../../layout/layout.tsx";
import {
  withPlaceErrors,
  PLACE_FIELDS,
  LocationField,
  placeFrom,
  prefilled,
  RadiusField,
} from "../../form/location-field.tsx";
import { SUBSCRIPTION_FIELDS } from "../../../../core/push/device.ts";
import { DeviceButton } from "../../components/device-button.tsx";
import { ALERT_TYPES, SPECIES } from "../../../../values/animal.ts";

const FIELDS = [...PLACE_FIELDS, "radiusKm", "species", "type", "label", "frequency", "email"];
/** Fields that a link may fill in; the radius is named as in searches. */
const PREFILLED = [...PLACE_FIELDS, "radius_km", "species", "type"];
const RADII_KM = [1, 2, 5, 10, 25, 50, ZONE_RADIUS_KM_MAX];

/** Subscribe page: a circle on the map or around a town. */
export function subscribeRoutes({ get, post, service }: Web): void {
  get("/subscribe", (c, ctx) => {
    const { radius_km: radiusKm, ...values } = prefilled(readQuery(c, PREFILLED), ctx.t);
    const draft = {
      values: radiusKm === undefined ? values : { ...values, radiusKm },
      error: null,
    };
    return subscribePage(ctx, draft);
  });

  /** Fields of the zone, and the subscription of a device. */
  const readZone = async (c: Context<WebEnv>, ctx: PageContext) => {
    const values = await readForm(c, [...FIELDS, ...SUBSCRIPTION_FIELDS]);
    onError(c, (error) => subscribePage(ctx, { values, error: withPlaceErrors(error) }));
    const place = placeFrom(service, values, ctx.country);
    const fields = without(withoutEmpty(values), ...PLACE_FIELDS);
    const input = { ...fields, ...place.fields, language: ctx.t.language };
    return { input, problems: place.problems, subscription: values };
  };

  post("/subscribe", async (c, ctx) => {
    const { input, problems } = await readZone(c, ctx);
    const zone = parse(formInput, input, problems);
    const asked = await service.requests.subscribe(zone, c.get("caller"));
    return ctx.links.waiting(asked.ticket);
  });

  post("/subscribe/device", async (c, ctx) => {
    const { input, problems, subscription } = await readZone(c, ctx);
    const device = { subscription, language: ctx.t.language };
    const circle = parse(circleInput, input, problems);
    await service.devices.addZoneTopic(circle, device, c.get("caller"));
    return `${ctx.links.device}?done=added`;
  });
}

const formInput = zoneInput.extend(frequencyInput.partial().shape);
/** A zone of a device has no address, and no frequency: news is pushed at once. */
const circleInput = zoneInput.omit({ email: true });

function subscribePage(ctx: PageContext, draft: FormState): Page {
  const { t, links, tiles } = ctx;
  return formPage(ctx, draft, {
    title: t.subscribe.title,
    access: "public",
    scripts: tiles === null ? ["town", "device"] : ["map", "town", "device"],
    head: (
      <>
        <link rel="canonical" href={links.subscribe} />
        <meta name="description" content={t.subscribe.lead} />
      </>
    ),
    body: (
      <>
        <p class="lead">{t.subscribe.lead}</p>
        <SubscribeForm draft={draft} />
      </>
    ),
  });
}

function SubscribeForm({ draft }: { draft: FormState }) {
  const { t, links } = usePage();
  const text = t.subscribe;
  const labels = {
    ...t.field,
    place: t.field.city,
    radiusKm: text.radius,
    label: text.label,
  };
  return (
    <Form action={links.subscribe} draft={draft} labels={labels}>
      <LocationField mode="zone" radiusField="#field-radiusKm" />
      <RadiusField
        name="radiusKm"
        usual={RADII_KM}
        otherwise={ZONE_RADIUS_KM_DEFAULT}
        fits={zoneInput.shape.radiusKm}
      />
      <Select
        name="species"
        options={[["", t.field.anySpecies], ...optionsOf(SPECIES, t.species)]}
      />
      <Select name="type" options={[["", t.field.anyType], ...optionsOf(ALERT_TYPES, t.type)]} />
      <TextField name="label" hint={text.labelHint} isOptional max={ZONE_LABEL_MAX} />
      <FrequencyField chosen={draft.values["frequency"] ?? "at_once"} />
      <EmailField hint={text.emailHint} />
      <button type="submit">{t.continue}</button>
      <DeviceButton label={t.device.onThisDevice} action={`${links.subscribe}/device`} />
    </Form>
  );
}
