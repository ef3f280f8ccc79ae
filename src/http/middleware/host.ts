import { Fault } from "../../core/fault.ts";

/**
 * Gives a request without a valid Host header a URL on our own host. HTTP/1.0, which some health checks use, has no
 * such header; Bun's `request.url` is then a path only.
 */
export function withOwnHost(request: Request, baseUrl: string): Request {
  return request.url.startsWith("/") ? new Request(baseUrl + request.url, request) : request;
}

/**
 * Checks that the Host header is valid, because handlers parse the URL of the request. The last valid one is
 * remembered: nearly all requests carry the same. Throws `bad_input`.
 */
export function createHostCheck(): (request: Request) => void {
  let validOrigin: string | null = null;
  return ({ url, headers }) => {
    const host = headers.get("Host");
    const origin = `http://${host}`;
    if (origin === validOrigin && url.startsWith(`${origin}/`)) return;
    const isHostValid = host === null || URL.canParse(origin);
    if (!isHostValid || !URL.canParse(url))
      throw new Fault("bad_input", "The Host header is not valid.");
    validOrigin = origin;
  };
}
