import { expect } from "bun:test";
import { json, type World } from "./world.ts";

/** Speaks to the tool server of a world as a client does that was written by hand. */
export function mcpClientOf(world: () => World) {
  const post = async (body: unknown, { headers = {}, method = "POST" }: Options = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = method === "GET" || method === "HEAD" ? {} : { body: text };
    return world().fetch("/api/mcp", {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...init,
    });
  };
  const result = async (body: unknown) => (await json(post(body))).result;
  return {
    post,
    result,
    /** Error text of a tool for invalid arguments. */
    async errorText(name: string, args: unknown): Promise<string> {
      const answer = await result(call(name, args));
      expect(answer.isError).toBe(true);
      return answer.content[0].text;
    },
  };
}

type Options = { readonly headers?: Record<string, string>; readonly method?: string };

export const rpc = (method: string, params: object = {}, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export const call = (name: string, args: unknown, id: string | number = 1) =>
  rpc("tools/call", { name, arguments: args }, id);

/** Start of the names in the envelope of revision 2026-07-28. */
export const ENVELOPE = "io.modelcontextprotocol/";

/** Headers and body of a request of revision 2026-07-28. */
export function newest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision = "2026-07-28",
) {
  const _meta = {
    [`${ENVELOPE}protocolVersion`]: revision,
    [`${ENVELOPE}clientCapabilities`]: {},
    [`${ENVELOPE}clientInfo`]: { name: "test", version: "1" },
  };
  const name = params["name"] ?? params["uri"];
  return {
    headers: {
      "MCP-Protocol-Version": revision,
      "Mcp-Method": method,
      ...(name === undefined ? {} : { "Mcp-Name": String(name) }),
    },
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
  };
}
