/** @jsxImportSource hono/jsx */
import type { z } from "zod";
import { Select, useForm } from "./field.tsx";
import { usePage } from "../layout.tsx";

/** Radius field: the usual radii and the one in the address if `fits` accepts it. */
export function RadiusField({
  name,
  usual,
  otherwise,
  fits,
}: {
  name: string;
  /** Offered radii in km. */
  usual: readonly number[];
  /** Default radius in km. */
  otherwise: number;
  fits: z.ZodType;
}) {
  const { t } = usePage();
  const { draft } = useForm();
  const chosen = draft.values[name] ?? String(otherwise);
  const asked = fits.safeParse(Number(chosen)).success ? [Number(chosen)] : [];
  const radiiKm = [...new Set([...usual, ...asked])].toSorted((a, b) => a - b);
  return (
    <Select
      name={name}
      otherwise={chosen}
      options={radiiKm.map((km) => [String(km), t.home.km(km)] as const)}
    />
  );
}
