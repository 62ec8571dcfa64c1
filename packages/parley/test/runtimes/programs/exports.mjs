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
const server = new A2AServer({ agents: [patient], store: sqlite('kept.db') });
server.use({
  onEvent: (event) => {
    if (event.kind === 'status') console.log(event.status.state);
  },
});
export default server;
