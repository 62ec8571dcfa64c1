import { expect, it } from 'vitest';
import type { SqlDialect } from '../../src/stores/sql/dialect.ts';
import { followerStatements, pushPage } from '../../src/stores/sql/follower-statements.ts';
import { listStatements } from '../../src/stores/sql/list-query.ts';
import { purgeStatements } from '../../src/stores/sql/purge-statements.ts';
import { readStatements } from '../../src/stores/sql/read-statements.ts';
import { writeStatements } from '../../src/stores/sql/write-statements.ts';

/** A database that numbers its parameters and has no index hints. */
const NUMBERED: SqlDialect = {
  text: (sql) => {
    let count = 0;
    return sql.replaceAll('?', () => {
      count += 1;
      return `$${count}`;
    });
  },
  indexedBy: () => '',
  greatest: (left, right) => `greatest(${left}, ${right})`,
  isTalk: '(kinds & 1) <> 0',
};

it('the shared statements have nothing of SQLite alone in another dialect', () => {
  const after = { statusTime: 1, id: 'task', taskId: 'task' };
  const query = { agent: 'agent', contextId: 'talk', after, limit: 5 };
  const { page, total } = listStatements(NUMBERED, query);
  const statements = [readStatements, writeStatements, purgeStatements, followerStatements].flatMap((make) =>
    Object.values<string>(make(NUMBERED)),
  );
  for (const sql of [...statements, page.sql, total.sql, pushPage(NUMBERED, query).sql]) {
    expect(sql).not.toMatch(/\?|INDEXED BY|OR REPLACE|ON CONFLICT DO|\bmax\(/);
  }
  expect(page.sql).toContain('agent = $1 AND context_id = $2 AND (status_time, id) < ($3, $4)');
  expect(page.cells).toEqual(['agent', 'talk', 1, 'task', 5]);
});
