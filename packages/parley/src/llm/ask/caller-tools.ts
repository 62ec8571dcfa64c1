import type { ToolSet } from 'ai';
import type { TaskContext } from '../../agent/task-context.ts';
import { loadAi } from '../ai.ts';

/** As the interfaces of language models take names of tools. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
/** Tools of the caller that a model sees; those beyond are left out. */
const MOST_TOOLS = 128;

/**
 * The tools that the caller has declared, for a model that may use any of them: the caller runs them. A name that models cannot
 * call is left out.
 *
 * @example
 * llmAgent({ …, tools: async (task) => ({ ...(await callerTools(task)), search }) });
 */
export async function callerTools(task: Pick<TaskContext, 'tools'>): Promise<ToolSet> {
  const named = task.tools.filter(({ name }) => NAME.test(name)).slice(0, MOST_TOOLS);
  if (named.length === 0) return {};
  const { jsonSchema, tool } = await loadAi();
  return Object.fromEntries(
    named.map(({ name, description, inputSchema = { type: 'object' } }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as object) }) as ToolSet[string],
    ]),
  );
}
