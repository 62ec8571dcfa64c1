import { type Agent, type AgentTool, defineAgent, reject } from 'parley-a2a';

/**
 * Compares quarters without knowing anything about them: the facts come from a tool, which is another agent.
 *
 * A language model would be given the tool's name, description and parameters and would decide by itself when to use it.
 * This writer decides by a pattern, so that the example runs without one.
 */
export function createWriter(researcher: AgentTool): Agent {
  return defineAgent({
    name: 'writer',
    description: 'Compares quarters. What it knows about them it has from another agent.',
    version: '1.0.0',

    async *run(task) {
      const quarters = new Set(task.text.match(/\bQ[1-4]\b(?: \d{4}\b)?/gi));
      if (quarters.size === 0) throw reject('Which quarters? For example: Compare Q3 and Q4');

      yield `# ${[...quarters].join(' and ')}\n`;
      for (const quarter of quarters) {
        const input = { task: `How did ${quarter} go?` };
        const { output, success, error } = await researcher.execute(input, { signal: task.signal });
        yield `\n${success ? output : `Nothing is known about ${quarter}. ${error}`}\n`;
      }
    },
  });
}
