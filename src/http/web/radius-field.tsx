import type { z } from "zod";
import { Choice, type Draft } from "./field.tsx";
import type { Frame } from "./frame.tsx";

/** How far around: the usual radii, and the one an address asked for where `fits` takes it. */
export function RadiusField({
  frame: { words },
  draft: { given, trouble },
  name,
  label,
  usual,
  otherwise,
  fits,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly name: string;
  readonly label: string;
  /** In km, as is what follows. */
  readonly usual: readonly number[];
  /** Chosen where nothing was asked. */
  readonly otherwise: number;
  readonly fits: z.ZodType;
}) {
  const chosen = given[name] ?? String(otherwise);
  const asked = fits.safeParse(Number(chosen)).success ? [Number(chosen)] : [];
  const radiiKm = [...new Set([...usual, ...asked])].toSorted((a, b) => a - b);
  return (
    <Choice
      draft={{ given: { ...given, [name]: chosen }, trouble }}
      name={name}
      label={label}
      options={radiiKm.map((km) => [String(km), words.home.km(km)] as const)}
    />
  );
}
