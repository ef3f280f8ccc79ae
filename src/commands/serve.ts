import { readConfig, SETTINGS } from "../config.ts";
import { Fault } from "../core/fault.ts";
import { createLinks } from "../core/links.ts";
import { isUpload, UPLOAD_BYTES_MAX, withOwnHost } from "../http/app.ts";
import { type App, start, version } from "../start.ts";
import { type Command, Misuse, readArguments, type Surroundings } from "./command.ts";
import { openControl } from "./operating.ts";

const USAGE = "Usage: pet-alert [serve]";
const width = Math.max(...SETTINGS.map((setting) => setting.name.length));

export const serve: Command = {
  name: "serve",
  summary: "serves pages, REST API and tool server (what happens without a command)",
  help: [
    USAGE,
    "",
    "Serves until it is told to stop (SIGTERM, Ctrl-C). Settings come from the environment:",
    "",
    ...SETTINGS.map(
      (setting) => `  ${setting.name.padEnd(width)}  ${setting.meaning} [${setting.default}]`,
    ),
  ].join("\n"),
  async run(args, around) {
    const { positionals } = readArguments(args, {}, USAGE);
    if (positionals.length > 0) throw new Misuse("serve takes no words after it.", USAGE);
    return serveUntilStopped(around);
  },
};

const TICK_MS = 1_000;
/** When the start's memory is given back: the engine does not let go of code that ran just now. */
const SETTLE_MS = 1_000;
const IDLE_SECONDS = 30;
/** Requests under way at the end get this long. */
const GRACE_MS = 5_000;
const GRACE_STEP_MS = 20;
/** Bodies just over our limit still reach our own check, which answers in words; far larger ones are cut off at once. */
const BODY_BYTES_CUT = 4 * UPLOAD_BYTES_MAX;
/** A slow phone may take this long for its photos. */
const UPLOAD_SECONDS = 120;

async function serveUntilStopped({ env, stopped, say }: Surroundings): Promise<number> {
  const config = readConfig(env);
  const app = await start(config, { announce: say });
  const server = listen(app, config);
  const control = openControl(app, config);
  const links = createLinks(config.baseUrl);
  say(
    [
      `${config.siteName} ${version}`,
      `  pages        ${links.home}`,
      `  tool server  ${links.mcp}`,
      `  data         ${config.dataDir}`,
      `  mail         ${app.mail}`,
    ].join("\n"),
  );

  const settling = setTimeout(() => app.settle(), SETTLE_MS);
  const ticking = setInterval(() => void app.tick(), TICK_MS);
  await ended(stopped);
  clearTimeout(settling);
  clearInterval(ticking);
  await Promise.all([close(server), control === null ? null : close(control)]);
  await app.stop();
  return 0;
}

function listen(
  app: App,
  { host, port, baseUrl }: { host: string; port: number; baseUrl: string },
) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Without this, two servers share one port and take turns.
      reusePort: false,
      development: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BODY_BYTES_CUT,
      // The address is asked for before anything else: once the peer has gone there is none.
      fetch(request, server) {
        const address = server.requestIP(request)?.address ?? null;
        const asked = withOwnHost(request, baseUrl);
        if (isUpload(asked)) server.timeout(request, UPLOAD_SECONDS);
        return app.fetch(asked, address);
      },
      error(error) {
        app.log("bug", { error });
        return new Response("Internal server error", { status: 500 });
      },
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE")
      throw new Fault("unavailable", `Port ${port} is taken. Set PORT to another one.`);
    if (code === "EACCES")
      throw new Fault(
        "unavailable",
        `This user may not listen on port ${port}. Set PORT to one above 1023.`,
      );
    throw new Fault(
      "unavailable",
      `It cannot listen on ${host}:${port} (${String(code) || "unknown error"}). Check HOST and PORT.`,
    );
  }
}

/** Takes nothing new and ends when what is under way has been answered, or had its time. */
async function close(server: ReturnType<typeof Bun.serve>): Promise<void> {
  void server.stop();
  await idle(server);
  await server.stop(true);
}

/** Resolves when no request is under way. Connections that are merely kept open by clients do not count. */
async function idle(server: { readonly pendingRequests: number }): Promise<void> {
  for (let waited = 0; server.pendingRequests > 0 && waited < GRACE_MS; waited += GRACE_STEP_MS) {
    await Bun.sleep(GRACE_STEP_MS);
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
