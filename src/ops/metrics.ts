/** Names and meanings of all metrics. Units are seconds and bytes; names of counters end in `_total`. */
const METRICS = {
  counter: {
    pet_alert_bounces_total:
      "Messages to the bounce address by class; read_failed: failed reads of the mailbox.",
    pet_alert_emailed_replies_total: "Emails to reply addresses, by what became of them.",
    pet_alert_emails_total:
      "Attempts to send an email, by outcome; later: the mail server accepted no emails.",
    pet_alert_http_requests_total: "Requests answered, by route, method and HTTP status.",
    pet_alert_limits_hit_total: "Requests refused by rate limits, by limit.",
    pet_alert_log_events_total: "Log events, including those that were left out.",
    pet_alert_pushes_total:
      "Attempts to send a notification to a device, by outcome; later: the push service was busy or could not be reached.",
    pet_alert_table_reads_total:
      "Reads of the tables in sources.json, by outcome: good, or the problem.",
    pet_alert_tick_failures_total: "Ticks in which a job failed.",
    process_cpu_seconds_total: "CPU time of the process.",
  },
  gauge: {
    pet_alert_backup_copy_last_success_timestamp_seconds:
      "Time of the newest daily backup that was copied elsewhere.",
    pet_alert_backup_last_success_timestamp_seconds: "Time of the newest daily backup.",
    pet_alert_build_info: "Version of the service and of Bun.",
    pet_alert_unconfirmed_requests:
      "Requests of the last hour that nobody confirmed, counted up to 600.",
    pet_alert_disk_free_bytes: "Free space on the disk of the data folder.",
    pet_alert_http_requests_in_flight: "Requests in flight.",
    pet_alert_index_alerts: "Active alerts in the index.",
    pet_alert_index_zones: "Zones in the index.",
    pet_alert_mail_paused_seconds:
      "Time since which the mail server has accepted no emails; 0 while it does.",
    pet_alert_mailbox_failing_seconds:
      "Time since which the mailbox for bounces and replies cannot be read; 0 while it can.",
    pet_alert_operator_alarm: "1 while the alarm is active.",
    pet_alert_outbox_emails: "Emails waiting to be sent.",
    pet_alert_outbox_oldest_age_seconds: "Age of the oldest waiting email.",
    pet_alert_outbox_overdue_seconds: "Time since which the most overdue email has been due.",
    pet_alert_suppressed_mailboxes:
      "Mailboxes that get no emails (dead) or no notifications (complained).",
    pet_alert_table_last_good_read_timestamp_seconds:
      "Time of the last good read of a table that is read again and again.",
    pet_alert_table_refused_rows:
      "Rows of a table that could not be published, at its last good read.",
    process_resident_memory_bytes: "Resident memory of the process.",
    process_start_time_seconds: "Start time of the process.",
  },
  histogram: {
    pet_alert_http_request_duration_seconds:
      "Time from the start of a request to its response, by route.",
  },
} as const;

type Types = typeof METRICS;
type MetricName = { [Type in keyof Types]: keyof Types[Type] }[keyof Types];

/** Names of all metrics, by type. */
export const METRIC_NAMES = {
  counter: Object.keys(METRICS.counter),
  gauge: Object.keys(METRICS.gauge),
  histogram: Object.keys(METRICS.histogram),
};

/** Values of one metric. A metric without samples is left out. */
export type Metric = { readonly name: MetricName; readonly samples: readonly Sample[] };
export type Sample = {
  /** Suffix of a histogram's series. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  /** Never client input: each distinct value creates a series. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Metric with its samples, or with one value without labels; null: unknown. */
export function metric(name: MetricName, values: number | null | readonly Sample[]): Metric {
  if (values === null) return { name, samples: [] };
  return { name, samples: typeof values === "number" ? [{ value: values }] : values };
}

/** Samples of a metric with one label, from the value of each label. */
export function byLabel(label: string, values: Iterable<readonly [string, number]>): Sample[] {
  return [...values].map(([text, value]) => ({ labels: { [label]: text }, value }));
}

/**
 * Metrics in the Prometheus text format 0.0.4.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function exposition(metrics: readonly Metric[]): string {
  const samplesByName = new Map<string, readonly Sample[]>(
    metrics.map(({ name, samples }) => [name, samples]),
  );
  const lines: string[] = [];
  for (const [type, helpByName] of Object.entries(METRICS))
    for (const [name, help] of Object.entries(helpByName)) {
      const samples = samplesByName.get(name) ?? [];
      if (samples.length > 0) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const { suffix = "", labels = {}, value } of samples)
        lines.push(`${name}${suffix}${labelsInText(labels)} ${numberInText(value)}`);
    }
  return lines.map((line) => `${line}\n`).join("");
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
