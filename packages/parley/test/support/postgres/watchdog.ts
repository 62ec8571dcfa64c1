// Run as a process of its own: ends a Postgres server, and removes its folder, when the process that wanted it is gone.
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, ownerOf, signalServer } from './process.ts';

const [owner = '', folder = ''] = process.argv.slice(2);
const LOOK_EVERY_MS = 500;
const LAST_WORD_MS = 10_000;

while (ownerOf(Number(owner.split('-')[0])) === owner && isRunning(folder) !== undefined) await delay(LOOK_EVERY_MS);
signalServer(folder, 'SIGCONT');
signalServer(folder, 'SIGQUIT');
for (let waited = 0; isRunning(folder) && waited < LAST_WORD_MS; waited += LOOK_EVERY_MS) await delay(LOOK_EVERY_MS);
signalServer(folder, 'SIGKILL');
rmSync(folder, { recursive: true, force: true });
