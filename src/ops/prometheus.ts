/** Prometheus metric. Units are seconds and bytes; names of counters end in `_total`. */
export type Metric = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** A metric without samples is left out. */
  readonly samples: readonly Sample[];
};
export type Sample = {
  /** Suffix of a histogram's series. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  /** Never client input: each distinct value creates a series. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Gauge with one sample; left out if the value is null (unknown). */
export function gauge(name: string, help: string, value: number | null): Metric {
  return { name, type: "gauge", help, samples: value === null ? [] : [{ value }] };
}

/** Counter with one label. */
export type LabelledCounter = {
  readonly add: (value: string) => void;
  readonly metric: () => Metric;
};

/** Values in `known` start at 0, so that their first increase is visible. */
export function createLabelledCounter(
  name: string,
  help: string,
  label: string,
  known: readonly string[],
): LabelledCounter {
  const counts = new Map(known.map((value) => [value, 0]));
  return {
    add: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    metric: () => ({
      name,
      type: "counter",
      help,
      samples: [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
    }),
  };
}

/**
 * Metrics in the Prometheus text format 0.0.4.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ suffix = "", labels = {}, value }) =>
            `${name}${suffix}${labelsInText(labels)} ${numberInText(value)}`,
        ),
        "",
      ].join("\n"),
    )
    .join("");
}

function labelsInText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberInText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
