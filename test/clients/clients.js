// Clients by their names: each connects to an address and gives `list`, the names of its tools, and `call`, which returns
// what a tool answered. Copied into the folder where their packages are installed, and run there (see run.ts).

const IMPLEMENTATION = { name: "test", version: "1" };

/** @type {Record<string, (url: string) => Promise<{ list: () => Promise<string[]>, call: (name: string, args: object) => Promise<object> }>>} */
export const CLIENTS = {
  async "SDK 1"(url) {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return sdk(new Client(IMPLEMENTATION), new StreamableHTTPClientTransport(new URL(url)));
  },

  "SDK 2, older revisions": (url) => sdk2(url, "legacy"),
  "SDK 2, 2026-07-28": (url) => sdk2(url, { pin: "2026-07-28" }),

  async "mcp-remote"(url) {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["--bun", "node_modules/.bin/mcp-remote", url, "--allow-http"],
      stderr: "ignore",
    });
    return sdk(new Client(IMPLEMENTATION), transport);
  },

  async "@ai-sdk/mcp"(url) {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    const client = await createMCPClient({ transport: { type: "http", url } });
    const tools = await client.tools();
    return {
      list: async () => Object.keys(tools),
      call: async (name, args) =>
        structured(await tools[name].execute(args, { toolCallId: "1", messages: [] })),
    };
  },

  async "@langchain/mcp-adapters"(url) {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    const client = new MultiServerMCPClient({ mcpServers: { pets: { transport: "http", url } } });
    const tools = await client.getTools();
    return {
      list: async () => tools.map(({ name }) => name),
      call: async (name, args) =>
        structured(await tools.find((tool) => tool.name === name).invoke(args)),
    };
  },

  async "@mastra/mcp"(url) {
    const { MCPClient } = await import("@mastra/mcp");
    const client = new MCPClient({ servers: { pets: { url: new URL(url) } } });
    const tools = await client.listTools();
    return {
      list: async () => Object.keys(tools).map((name) => name.replace("pets_", "")),
      call: async (name, args) => structured(await tools[`pets_${name}`].execute(args, {})),
    };
  },

  async inspector(url) {
    const run = async (...more) => {
      const command = ["--bun", "node_modules/.bin/inspector", "--cli", url, "--transport", "http"];
      const child = Bun.spawn([process.execPath, ...command, "--format", "json", ...more], {
        env: { ...process.env, MCP_CATALOG_PATH: "catalog.json" },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [text, errors] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      if ((await child.exited) !== 0) throw new Error(`${text} ${errors}`);
      const answer = JSON.parse(text);
      return answer.result ?? answer;
    };
    return {
      list: async () =>
        (await run("--method", "tools/list", "--strict")).tools.map(({ name }) => name),
      call: async (name, args) => {
        // Its command line has no empty values.
        const pairs = Object.entries(args)
          .filter(([, value]) => value !== "")
          .flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
        return structured(await run("--method", "tools/call", "--tool-name", name, ...pairs));
      },
    };
  },
};

async function sdk2(url, mode) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(IMPLEMENTATION, { versionNegotiation: { mode } });
  return sdk(client, new StreamableHTTPClientTransport(new URL(url)));
}

async function sdk(client, transport) {
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => structured(await client.callTool({ name, arguments: args })),
  };
}

function structured(result) {
  const found = result?.structuredContent ?? result;
  if (result?.isError) throw new Error(JSON.stringify(result));
  return found;
}
