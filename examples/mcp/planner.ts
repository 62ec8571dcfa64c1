import { fileURLToPath } from 'node:url';
import { type Agent, defineAgent } from 'parley-a2a';
import { mcpTools } from 'parley-a2a/mcp';

/** An agent that uses a tool of an MCP server without a language model; `close` ends the server's process. */
export async function startPlanner(): Promise<{ readonly planner: Agent; readonly close: () => Promise<void> }> {
  const clock = await mcpTools({
    command: process.execPath,
    args: [fileURLToPath(new URL('./clock.ts', import.meta.url))],
  });
  const planner = defineAgent({
    name: 'planner',
    description: 'Tells whether a date such as 2026-11-16 is a working day',
    version: '1.0.0',
    async *run(task) {
      const date = /\d{4}-\d{2}-\d{2}/.exec(task.text)?.[0] ?? (await task.ask('Which date?'));
      const result = await clock.weekday?.execute({ date }, { abortSignal: task.signal });
      const weekday = result?.content[0]?.text ?? '';
      yield `${date} is a ${weekday}: ${weekday.startsWith('S') ? 'a day off' : 'a working day'}.`;
    },
  });
  return { planner, close: clock.close };
}
