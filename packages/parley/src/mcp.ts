// Tools of MCP servers for agents and their language models. `parley mcp` is the way back: agents as tools of MCP.
export type { McpInputSchema } from './bridges/mcp/using/input-schema.ts';
export { type McpTool, type McpTools, type McpUseOptions, mcpTools } from './bridges/mcp/using/mcp-tools.ts';
export type {
  McpAddress,
  McpCommand,
  McpSource,
  McpToolsLimits,
  McpToolsOptions,
} from './bridges/mcp/using/options.ts';
export type { McpContent, McpModelOutput, McpModelPart, McpToolOutput } from './bridges/mcp/using/outputs.ts';
