// A server with a language-model agent that kills itself at points that it has not been at before; its orders come as one
// line of JSON on its input: node --conditions=parley-source server-process.ts

import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { writeComplaint } from '../crash/check/complaints.ts';
import { pause } from '../support/script.ts';
import { agentOf } from './agents.ts';
import type { Orders } from './orders.ts';
import { appendLine, linesIn } from './points.ts';
import { watchedStore } from './watched-store.ts';

const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit());
// One that is killed would not do it at its end.
flushCompileCache();
console.log('loaded');
const [line] = await once(lines, 'line');
const { agent, file, effects, points, model }: Orders = JSON.parse(line);
const seen = new Set(linesIn(points));

function at(point: string): void {
  if (seen.has(point)) return;
  appendLine(points, point);
  process.kill(process.pid, 'SIGKILL');
}

const { store, recorded } = watchedStore(sqlite(file), at);
const world = {
  at,
  effect: (name: string) => appendLine(effects, name),
  async recorded(beginning: string) {
    while (![...recorded].some((step) => step.startsWith(beginning))) await pause(5);
  },
};

const log = { warn: writeComplaint, error: writeComplaint };
// The run is killed more often between two records than a run is usually resumed.
const limits = { resumes: 100 };
const server = new A2AServer({ agents: [agentOf(agent, model, world)], store, log, limits, drainTimeout: 0 });
await server.listen({ port: 0 });
console.log(server.url);
