/**
 * Networks from which hosted assistants call MCP servers: those of providers that have few and lasting ones. Networks that
 * change often are left to the operator, who fetches the provider's list (docs/operations.md). No general cloud ranges:
 * unrelated customers of that cloud would share one limit.
 */
export const HOSTED_ASSISTANTS: readonly string[] = [
  // Anthropic, https://platform.claude.com/docs/en/api/ip-addresses, read on 2026-11-23
  "160.79.104.0/21",
  // Qoder Cloud Agents, https://docs.qoder.com/cloud-agents/ip-addresses, read on 2026-11-23
  "8.216.144.48/28",
  "39.102.160.96/28",
];
