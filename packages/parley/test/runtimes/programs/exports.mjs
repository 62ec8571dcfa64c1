// A server as the default export, on a file in the working folder; prints the states of its tasks.
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

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
/** Silent for longer than Bun lets a connection be, unless it is told. */
const silent = defineAgent({
  name: 'silent',
  description: 'Takes its time',
  version: '1.0.0',
  async *run() {
    yield 'wait';
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    yield ' for it';
  },
});
const server = new A2AServer({ agents: [patient, silent], store: sqlite('kept.db') });
server.use({
  onEvent: (event) => {
    if (event.kind === 'status') console.log(event.status.state);
  },
});
export default server;
