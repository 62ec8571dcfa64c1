/**
 * Readers of one task from its beginning, in a process of their own with the lowest priority, so that they do not take the
 * server's core: `replay-readers.ts PORT TASK READERS`. Says `begun` when all of them have got something, and the number of events at the end.
 */
import { constants, setPriority } from 'node:os';
import { Connection } from './connection.ts';
import { EventCounter } from './streams.ts';

const [port = '', taskId = '', readers = '1'] = process.argv.slice(2);
setPriority(constants.priority.PRIORITY_LOW);

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } });
let waiting = Number(readers);

async function read(): Promise<number> {
  const connection = await Connection.open(Number(port), 'last-event-id: 0\r\n');
  const counter = new EventCounter();
  let hasBegun = false;
  await connection.request(body, (bytes) => {
    counter.add(bytes);
    if (hasBegun) return;
    hasBegun = true;
    waiting -= 1;
    if (waiting === 0) process.send?.({ type: 'begun' });
  });
  connection.close();
  return counter.events;
}

const counts = await Promise.all(Array.from({ length: Number(readers) }, read));
process.send?.({ type: 'read', least: Math.min(...counts) });
process.disconnect?.();
