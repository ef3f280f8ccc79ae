import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../settings/config.ts";
import { misspeltSettings, SETTINGS } from "../settings/setting-list.ts";
import { Fault } from "../core/fault.ts";
import { createLinks } from "../core/urls.ts";
import { canForgeClientIp, forgedClientIpWarning } from "../settings/reachability.ts";
import { CONTROL_SOCKET } from "../http/control.ts";
import { FORM_BYTES_MAX, isUpload } from "../http/middleware/request-body.ts";
import { TIMEOUTS } from "../http/middleware/timeouts.ts";
import { codeOf } from "../ops/fs.ts";
import { type App, start } from "../start.ts";
import { version } from "../../package.json" with { type: "json" };
import { type Command, UsageError, readArguments, type CommandContext } from "./shell/command.ts";

const USAGE = "Usage: pet-alert [serve]";
const width = Math.max(...SETTINGS.map((setting) => setting.name.length));

export const serve: Command = {
  name: "serve",
  summary: "serves the pages, REST API and MCP server (default command)",
  help: [
    USAGE,
    "",
    "Runs until it receives SIGTERM or SIGINT (Ctrl-C). Settings are environment variables:",
    "",
    ...SETTINGS.map(
      (setting) => `  ${setting.name.padEnd(width)}  ${setting.meaning} [${setting.default}]`,
    ),
  ].join("\n"),
  async run(args, context) {
    const { positionals } = readArguments(args, {}, USAGE);
    if (positionals.length > 0) throw new UsageError("serve takes no arguments.", USAGE);
    return serveUntilStopped(context);
  },
};

const TICK_MS = 1_000;
/** Delay before start-up memory is released: the first jobs have read many alerts, and the engine keeps code that ran just now. */
const RELEASE_MEMORY_MS = 4_000;
/** Time for requests in progress when the server stops. */
const GRACE_MS = 5_000;
const GRACE_STEP_MS = 20;

async function serveUntilStopped(context: CommandContext): Promise<number> {
  const config = readConfig(context.env);
  const app = await start(config, { announce: context.print });
  try {
    await serveApp(app, config, context);
  } finally {
    await app.stop();
  }
  return 0;
}

async function serveApp(
  app: App,
  config: Config,
  { env, stopped, print }: CommandContext,
): Promise<void> {
  const server = listen(app, config);
  const control = config.cluster === null ? openControl(app, config) : null;
  const links = createLinks(config.baseUrl);
  print(
    [
      `${config.siteName} ${version}`,
      `  pages        ${links.home}`,
      `  MCP server   ${links.mcp}`,
      `  listens on   ${config.host}:${config.port}`,
      `  data         ${config.cluster === null ? config.dataDir : databaseName(config.cluster)}`,
      `  mail         ${app.mail}`,
    ].join("\n"),
  );

  for (const { name, meant } of misspeltSettings(env))
    app.log("misspelt_setting", {
      text: `${name} is set but is not a setting. Did you mean ${meant}?`,
    });
  if (canForgeClientIp(config)) {
    const { text, advice } = forgedClientIpWarning(config);
    app.log("forged_addresses", { text: `${text}. ${advice}` });
  }

  const releasing = setTimeout(() => app.releaseMemory(), RELEASE_MEMORY_MS);
  const ticking = setInterval(() => void app.tick(), TICK_MS);
  await ended(stopped);
  clearTimeout(releasing);
  clearInterval(ticking);
  await Promise.all([close(server), control === null ? null : close(control)]);
}

/** Host and name of a database, without user and password. */
function databaseName({ databaseUrl }: { readonly databaseUrl: string }): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

function listen(
  app: App,
  { host, port, baseUrl }: { host: string; port: number; baseUrl: string },
) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // With reusePort, a second server could share the port.
      reusePort: false,
      development: false,
      idleTimeout: TIMEOUTS.idleSeconds,
      maxRequestBodySize: FORM_BYTES_MAX,
      // The address must be read first: once the peer disconnects, it is not available.
      fetch(request, server) {
        const address = server.requestIP(request)?.address ?? null;
        const own = withOwnHost(request, baseUrl);
        if (isUpload(own)) server.timeout(request, TIMEOUTS.uploadSeconds);
        return app.fetch(own, address);
      },
      error(error) {
        app.log("bug", { error });
        return new Response("Internal server error", { status: 500 });
      },
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EADDRINUSE")
      throw new Fault("unavailable", `Port ${port} is in use. Set PORT to another port.`);
    if (code === "EACCES")
      throw new Fault(
        "unavailable",
        `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
      );
    throw new Fault(
      "unavailable",
      `Cannot listen on ${host}:${port} (${code || "unknown error"}). Check HOST and PORT.`,
    );
  }
}

/**
 * Gives a request without a valid Host header a URL on our own host. HTTP/1.0, which some health checks use, has no
 * such header; Bun's `request.url` is then a path only.
 */
export function withOwnHost(request: Request, baseUrl: string): Request {
  const { url } = request;
  return url.startsWith("/") ? new Request(new URL(baseUrl).origin + url, request) : request;
}

/** Time for an operator's command: long enough to erase a shelter with thousands of alerts; Bun's maximum. */
const CONTROL_SECONDS = 255;

/**
 * Opens the control socket, through which commands reach this service. Only the service's own user can connect. If it
 * cannot be opened, logs it and returns null: commands then ask to stop the service first.
 */
function openControl(app: App, { dataDir }: { dataDir: string }) {
  const socket = join(dataDir, CONTROL_SOCKET);
  try {
    // This process holds the folder's lock, so an existing socket was left by a killed process.
    rmSync(socket, { force: true });
    const server = Bun.serve({
      unix: socket,
      development: false,
      fetch(request, server) {
        server.timeout(request, CONTROL_SECONDS);
        return app.control(request);
      },
    });
    chmodSync(socket, 0o600);
    return server;
  } catch (error) {
    app.log("control_failed", { error });
    return null;
  }
}

/** Stops accepting requests; resolves once those in progress are answered or `GRACE_MS` is over. */
async function close(server: ReturnType<typeof Bun.serve>): Promise<void> {
  void server.stop();
  await idle(server);
  await server.stop(true);
}

/** Resolves when no request is in progress. Idle keep-alive connections do not count. */
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
