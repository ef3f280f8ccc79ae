/** @jsxImportSource hono/jsx */
import type { z } from "zod";
import { Select, type FormState } from "./field.tsx";
import { usePage } from "../layout.tsx";

/** Radius field: the usual radii and the one in the address if `fits` accepts it. */
export function RadiusField({
  draft: { values, error: formError },
  name,
  label,
  usual,
  otherwise,
  fits,
}: {
  draft: FormState;
  name: string;
  label: string;
  /** Offered radii in km. */
  usual: readonly number[];
  /** Default radius in km. */
  otherwise: number;
  fits: z.ZodType;
}) {
  const { t } = usePage();
  const chosen = values[name] ?? String(otherwise);
  const asked = fits.safeParse(Number(chosen)).success ? [Number(chosen)] : [];
  const radiiKm = [...new Set([...usual, ...asked])].toSorted((a, b) => a - b);
  return (
    <Select
      draft={{ values: { ...values, [name]: chosen }, error: formError }}
      name={name}
      label={label}
      options={radiiKm.map((km) => [String(km), t.home.km(km)] as const)}
    />
  );
}
