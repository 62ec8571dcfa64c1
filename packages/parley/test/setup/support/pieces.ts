import * as parley from 'parley-a2a';
import { blocksOf } from './documents.ts';

/** Names that pieces of code use and do not declare, with their types. What is the reader's own may be anything. */
const KNOWN: Readonly<Record<string, string>> = {
  agents: 'Agent[]',
  analyst: 'Agent',
  client: 'A2AClient',
  id: 'string',
  reporter: 'Agent',
  server: 'A2AServer',
  url: 'string',
  ...{ agent: 'any', amount: 'number', answer: 'any', ask: 'any', audit: 'any', calendar: 'any', day: 'string' },
  ...{ files: 'string[]', hideNames: 'any', inTheMiddle: 'any', isOurs: 'any', model: 'any', payments: 'any' },
  ...{ reportOn: 'any', revenueOf: 'any' },
};

const IMPORTS = `import { ${Object.keys(parley).join(', ')} } from 'parley-a2a';
import type { Agent, Task, TaskContext } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { testAgent } from 'parley-a2a/testing';
import { expect } from 'vitest';
import { z } from 'zod';
`;

/** An agent around a `run` that stands alone. */
const AROUND = `name: 'a', description: 'a', version: '1', skills: [
  { id: 'report', name: 'r', description: 'r', tags: ['r'], input: z.object({ quarter: z.string() }) },
  { id: 'other', name: 'o', description: 'o', tags: ['o'], input: z.object({ other: z.number() }) },
]`;

/**
 * The blocks of a document that are no whole programs, as one module. Those that leave something out (`…,`), or that load a file
 * beside them, are not among them.
 */
export function piecesOf(document: string): string | undefined {
  const blocks = blocksOf(document, 'ts').filter(
    (block) => !/^import |^\/\/.*\nimport |^ *…,| …,|import\('\.\//m.test(block),
  );
  if (blocks.length === 0) return undefined;
  const whole = blocks.filter(isModule);
  const parts = blocks.filter((block) => !isModule(block)).map(wrapped);
  const declared = new Set([...whole.join('\n').matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
  const free = Object.entries(KNOWN).filter(([name]) => !declared.has(name));
  const names = free.map(([name, type]) => `declare const ${name}: ${type};\n`);
  return [IMPORTS, ...names, ...whole, ...parts].join('');
}

const isModule = (block: string) => /^export /m.test(block);

function wrapped(block: string, index: number): string {
  if (/^(async )?\*?run\(/.test(block)) return `export const agent${index} = defineAgent({ ${AROUND},\n${block}});\n`;
  // Where a piece declares `task` itself, it is not the task of a run.
  const parameter = /\bconst task\b/.test(block) ? '' : 'task: TaskContext';
  const about = /expect\(task\)/.test(block) ? 'task: Task' : parameter;
  return `export async function* piece${index}(${about}) {\n${block}}\n`;
}
