import fc from "fast-check";
import { type Header, multipart, urlencoded, utf8 } from "./request.ts";
import { PICTURE_BYTES } from "./picture.ts";
import { oddText } from "./text.ts";
import type { ValueGenerators, Values } from "./values.ts";

/** A body and what says how to read it; a null type sends none. Some bodies need headers of their own. */
export type Body = {
  readonly type: string | null;
  readonly body: string;
  readonly headers?: readonly Header[];
};

/** A form or a query without fields. */
export const nothing: fc.Arbitrary<Values> = fc.constant({});
/** A form with these fields, in both of the ways in which forms are sent. */
export function form(
  drawn: fc.Arbitrary<Values>,
  photos: fc.Arbitrary<readonly Photo[]> = noPhotos,
): fc.Arbitrary<Body> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: drawn.map((given) => ({ type: FORM_TYPE, body: urlencoded(fieldsOf(given)) })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(drawn, photos, fc.constantFrom("----k4", "a'b(c)+_,-./:=?", "x"))
        .map(asMultipart),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(drawn, brokenBody)
        .map(([given, bend]) => bend(urlencoded(fieldsOf(given)))),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(drawn, photos, brokenParts)
        .map(([given, files, bend]) => bend(asMultipart([given, files, "x"]))),
    },
  );
}

const FORM_TYPE = "application/x-www-form-urlencoded";

/** As addresses and forms say it: a list is the same name several times. */
export function fieldsOf(given: Values): (readonly [string, string])[] {
  return Object.entries(given).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0
      ? value.map((one): [string, string] => [name, asText(one)])
      : [[name, asText(value)] as const],
  );
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value).slice(0, 200) : String(value);
}

type Photo = { readonly name: string; readonly type: string; readonly bytes: string };

const PICTURE = Buffer.from(PICTURE_BYTES).toString("latin1");
const noPhotos: fc.Arbitrary<readonly Photo[]> = fc.constant([]);
export const somePhotos: fc.Arbitrary<readonly Photo[]> = fc.oneof(
  { weight: 3, arbitrary: noPhotos },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        name: fc.oneof(
          fc.constantFrom("a.png", "", "../../x.jpg"),
          oddText.map((text) => text.slice(0, 80)),
        ),
        type: fc.constantFrom("image/png", "image/jpeg", "text/html", "application/octet-stream"),
        bytes: fc.oneof(
          fc.constant(PICTURE),
          fc.constantFrom(
            "",
            PICTURE.slice(0, 40),
            "GIF89a",
            "<svg/>",
            "\xff\xd8\xff\xe0",
            `BM${"\0".repeat(60)}`,
          ),
          fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
        ),
      }),
      { maxLength: 3 },
    ),
  },
);

function asMultipart([given, photos, boundary]: [Values, readonly Photo[], string]): Body {
  const parts = fieldsOf(given).map(([name, value]) => ({ name, value: utf8(value) }));
  const files = photos.map(({ name, type, bytes }) => ({
    name: "photos",
    value: bytes,
    file: { name, type },
  }));
  return {
    type: `multipart/form-data; boundary="${boundary}"`,
    body: multipart([...parts, ...files], boundary),
  };
}

export const brokenBody: fc.Arbitrary<(body: string) => Body> = fc.oneof(
  fc.constantFrom(
    (body: string): Body => ({ type: "application/json", body }),
    (body: string): Body => ({ type: "text/plain", body }),
    (body: string): Body => ({ type: `${FORM_TYPE}; charset=utf-16`, body }),
    (body: string): Body => ({ type: null, body }),
    (body: string): Body => ({ type: FORM_TYPE, body: `${body}&${body}` }),
    (body: string): Body => ({ type: FORM_TYPE, body: `${body}&=&&%&%zz=%c0%80&\xff` }),
    (body: string): Body => ({ type: FORM_TYPE, body: `${"a=1&".repeat(3_000)}${body}` }),
    (): Body => ({ type: FORM_TYPE, body: "x".repeat(256 * 1024 + 1) }),
    (): Body => ({ type: FORM_TYPE, body: "" }),
  ),
);

const brokenParts: fc.Arbitrary<(whole: Body) => Body> = fc.constantFrom(
  ({ type, body }: Body): Body => ({ type, body: body.slice(0, body.length / 2) }),
  ({ body }: Body): Body => ({ type: "multipart/form-data", body }),
  ({ body }: Body): Body => ({ type: "multipart/form-data; boundary=", body }),
  ({ body }: Body): Body => ({ type: 'multipart/form-data; boundary="other"', body }),
  ({ type, body }: Body): Body => ({ type, body: body.repeat(2) }),
  ({ type, body }: Body): Body => ({ type, body: body.replaceAll("\r\n", "\n") }),
  ({ type, body }: Body): Body => ({ type, body: body.replaceAll('"', "") }),
  ({ type, body }: Body): Body => ({
    type,
    body: body.replace("form-data;", 'form-data; name="__proto__";'),
  }),
  ({ type }: Body): Body => ({
    type,
    body: multipart(
      Array.from({ length: 250 }, () => ({ name: "a", value: "b" })),
      "x",
    ),
  }),
  ({ type }: Body): Body => ({ type, body: "" }),
);

export const placed = {
  place: fc.oneof(fc.constantFrom("Lyon", "Springfield", "Paris, FR", "nowhere at all"), oddText),
};

/** The fields of a form beside those its schema knows. */
export function withMore(
  drawn: ValueGenerators,
  more: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Values> {
  const extra = fc.record(more, { requiredKeys: [] });
  return fc
    .tuple(drawn.any, fc.option(extra, { nil: {}, freq: 1 }))
    .map(([given, added]) => ({ ...given, ...added }));
}

/** The same, and the town given in place of the position half of the time. */
export function withPlace(
  drawn: ValueGenerators,
  more: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Values> {
  return fc
    .tuple(withMore(drawn, more), fc.option(fc.record(placed), { nil: null, freq: 1 }))
    .map(([given, place]) => (place === null ? given : { ...given, lat: "", lng: "", ...place }));
}
