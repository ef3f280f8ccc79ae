/** Push services of the browsers: Chromium, Firefox, Safari, Edge. A name with "*." stands for all hosts below it. */
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  "*.push.services.mozilla.com",
  "*.push.apple.com",
  "*.notify.windows.com",
];

/** Longest address that is accepted. Those of the browsers have 200 to 500 characters. */
export const ENDPOINT_MAX = 1_024;

/**
 * True for an address at a push service of a browser, or at one of `more`. Strangers give these addresses, and the server
 * connects to them, so everything else is refused.
 */
export function isPushEndpoint(text: string, more: readonly string[]): boolean {
  if (text.length > ENDPOINT_MAX) return false;
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.username === "" &&
    url.password === "" &&
    url.port === "" &&
    url.hash === "" &&
    [...PUSH_SERVICES, ...more].some((name) => isAt(url.hostname, name))
  );
}

function isAt(host: string, name: string): boolean {
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}

/** True for a name of a push service in the settings: a host, or "*." and a host. */
export function isPushServiceName(text: string): boolean {
  return NAME.test(text) && text.length <= NAME_MAX;
}

const NAME =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME_MAX = 253;
