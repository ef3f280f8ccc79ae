import { scratchFolder } from "../support/process.ts";
import {
  findProgram,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "../support/system-programs.ts";

/** `describe`, `test` and hooks of tests that need Firefox. */
export const firefoxTests = testsUnlessMissing(missingProgram(PROGRAMS.firefox));

/** Settings of Firefox: it reaches this machine only, and shows notifications without a question. */
const PREFERENCES = {
  "permissions.default.desktop-notification": 1,
  "alerts.useSystemBackend": false,
  // Those that are recommended for tests switch Web Push off.
  "remote.prefs.recommended": false,
  "dom.push.testing.allowInsecureServerURL": true,
  "app.update.disabledForTesting": true,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
};

type Answer = { readonly id?: number; readonly type: string; readonly result?: any };

/**
 * One tab of a Firefox without a window, driven by WebDriver BiDi: Playwright drives a Firefox of its own build only.
 * `preferences` are added to its settings. Call `close()` when done.
 */
export async function openFirefox(preferences: Readonly<Record<string, string>>) {
  const profile = scratchFolder();
  const lines = Object.entries({ ...PREFERENCES, ...preferences }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await Bun.write(`${profile.path}/user.js`, lines.join("\n"));
  const browser = Bun.spawn(
    [
      findProgram(PROGRAMS.firefox),
      "--headless",
      "--no-remote",
      "--profile",
      profile.path,
      "--remote-debugging-port",
      "0",
      "about:blank",
    ],
    { env: { ...process.env, HOME: profile.path }, stdout: "ignore", stderr: "pipe" },
  );
  const socket = new WebSocket(`${await listeningAt(browser.stderr)}/session`);
  const answers = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    if (answer.id !== undefined) answers.get(answer.id)?.(answer);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));

  let asked = 0;
  const ask = async (method: string, params: object): Promise<any> => {
    const id = (asked += 1);
    const answered = new Promise<Answer>((resolve) => answers.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    if (answer.type === "error") throw new Error(JSON.stringify(answer));
    return answer.result;
  };
  await ask("session.new", { capabilities: {} });
  const { contexts } = await ask("browsingContext.getTree", {});
  const { context } = contexts[0];

  /** Text that a script gives, in the page, as if a person had pressed something. */
  async function evaluate(expression: string): Promise<string> {
    const where = { target: { context }, awaitPromise: true, userActivation: true };
    const { type, result, ...more } = await ask("script.evaluate", { expression, ...where });
    if (type !== "success") throw new Error(JSON.stringify(more));
    return String(result.value);
  }

  return {
    goto: (url: string) => ask("browsingContext.navigate", { context, url, wait: "complete" }),
    evaluate,
    /** Waits until an expression is true, in whatever page there is by then. */
    async waitFor(expression: string): Promise<void> {
      while ((await evaluate(`String(${expression})`).catch(() => "")) !== "true");
    },
    async close() {
      socket.close();
      browser.kill();
      await browser.exited;
      profile.forget();
    },
  };
}

/** Address that Firefox prints once it can be driven. */
async function listeningAt(said: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const found = Promise.withResolvers<string>();
  void (async () => {
    // Read to the end, so that it never waits to be read.
    for await (const chunk of said) {
      text += decoder.decode(chunk, { stream: true });
      const [, address] = /BiDi listening on (ws:\S+)\s/.exec(text) ?? [];
      if (address !== undefined) found.resolve(address);
    }
    found.reject(new Error(`Firefox ended: ${text}`));
  })();
  return found.promise;
}
