// A server whose agents do steps, to be killed or to kill itself; its orders come as one line of JSON on its input:
// node --conditions=parley-source server-process.ts

import { once } from 'node:events';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { writeComplaint } from '../crash/check/complaints.ts';
import { pause } from '../support/script.ts';
import { stepAgents } from './agent.ts';
import type { Orders } from './orders.ts';

const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit());
// One that is killed would not do it at its end.
flushCompileCache();
console.log('loaded');
const [line] = await once(lines, 'line');
const { file, effects, points, slowness, resumes }: Orders = JSON.parse(line);
const seen = new Set(points !== undefined && existsSync(points) ? readFileSync(points, 'utf8').split('\n') : []);

function append(path: string, text: string): void {
  const handle = openSync(path, 'a');
  writeSync(handle, `${text}\n`);
  fsyncSync(handle);
  closeSync(handle);
}

const world = {
  async at(point: string) {
    if (points !== undefined && !seen.has(point)) {
      append(points, point);
      process.kill(process.pid, 'SIGKILL');
    }
    if (slowness > 0) await pause(Math.random() * slowness);
  },
  effect: (step: string) => append(effects, step),
};

const log = { warn: writeComplaint, error: writeComplaint };
const server = new A2AServer({
  agents: stepAgents(world),
  store: sqlite(file),
  log,
  limits: resumes === undefined ? {} : { resumes },
  drainTimeout: 0,
});
await server.listen({ port: 0 });
console.log(server.url);
