import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '../../../src/sqlite.ts';
import { describeStore } from '../../contracts/store.ts';

for (const writer of ['loop', 'worker'] as const) {
  describeStore(`SQLite, written on the ${writer}`, (now) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
    const open = () => sqlite(join(folder, 'tasks.db'), { writer, now });
    return {
      store: open(),
      reopen: open,
      dispose: () => rmSync(folder, { recursive: true }),
    };
  });
}

describeStore('SQLite in memory', (now) => ({ store: sqlite(':memory:', { now }), dispose: () => {} }));
