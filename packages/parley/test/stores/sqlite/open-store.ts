// Run as a process of its own by tests: opens the file, commits a task, says how that went, and then holds the file
// until the process is killed, or leaves without closing it.
import { StoreError, sqlite } from '../../../src/sqlite.ts';
import { accept, creation } from '../fixtures.ts';

const [path = '', writer, end] = process.argv.slice(2);

try {
  const store = sqlite(path, { writer: writer === 'worker' ? 'worker' : 'loop' });
  await store.open();
  await accept(store, creation('task of another process'));
  process.stdout.write('open\n');
  if (end !== 'leave') setInterval(() => {}, 60_000);
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  process.stdout.write(`${error.code} ${error.message}\n`);
}
