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
