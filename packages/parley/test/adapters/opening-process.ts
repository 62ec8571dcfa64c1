// A server in an app, in a process of its own, for tests that kill it:
// node --conditions=parley-source opening-process.ts <host> <file>
// Prints where the app listens, and what becomes of tasks that nobody asks for.
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { LOCAL_HOSTS } from './hosts/index.ts';

const [, , hostName = '', file = ''] = process.argv;

/** Works for ever in the process in which it began, and goes on to its end in the next one. */
const patient = defineAgent({
  name: 'patient',
  description: 'Outlives its process',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    const beganIn = await task.step('begin', () => process.pid);
    yield 'begun';
    if (beganIn === process.pid) await new Promise(() => {});
    yield ' and ended';
  },
});

const server = new A2AServer({ agents: [patient], store: sqlite(file) });
server.use({
  onEvent: (event) => {
    if (event.kind === 'status') console.log(event.status.state);
  },
});
const host = await LOCAL_HOSTS[hostName]?.();
console.log((await host?.serve(server, {}))?.url);
