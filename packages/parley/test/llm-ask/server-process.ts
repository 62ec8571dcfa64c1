// A server in a process of its own, for tests that kill it: server-process.ts <file>
import { appendFileSync } from 'node:fs';
import { tool } from 'ai';
import { A2AServer } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { sqlite } from 'parley-a2a/sqlite';
import { z } from 'zod';
import { type Said, scriptedModel } from '../llm/support/mock-model.ts';

const [file = ''] = process.argv.slice(2);
const note = (line: string) => appendFileSync(`${file}.effects`, `${line}\n`);

/** Says the same in every process: what comes next stands in the prompt. */
const model = scriptedModel(({ prompt }): Said => {
  const results = prompt.filter(({ role }) => role === 'tool').length;
  note(`model ${results}`);
  if (results > 0) return { text: ['Done.'] };
  const files = ['a', 'b'];
  return { calls: files.map((name) => ({ id: `c-${name}`, name: 'remove', input: { file: name } })) };
});

const agent = llmAgent({
  name: 'cleaner',
  description: 'Removes files',
  version: '1.0.0',
  model,
  toolApproval: { remove: 'user-approval' },
  tools: {
    remove: tool({
      inputSchema: z.object({ file: z.string() }),
      execute: ({ file: name }) => {
        note(`remove ${name}`);
        return `removed ${name}`;
      },
    }),
  },
});

const server = new A2AServer({ agents: [agent], store: sqlite(file) });
await server.listen({ port: 0 });
console.log(server.url);
