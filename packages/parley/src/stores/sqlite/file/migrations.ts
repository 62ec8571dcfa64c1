import { StoreError } from '../../store-error.ts';
import type { Database } from './driver.ts';
import type { FileHeader } from './file-header.ts';

/** Marks the files of this store: "Parl" in ASCII. */
export const APPLICATION_ID = 0x5061726c;

/**
 * The steps from an empty file to the present schema. A step never changes once it was released; `user_version` says
 * how many a file has had.
 *
 * `tasks.key` is a small number that stands for the id in the tables that grow. `log.kinds` has bit 1 set for messages
 * and statuses and bit 2 for chunks of artifacts, so that a history is read without the chunks.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE tasks (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    context_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    status_time INTEGER NOT NULL,
    lease_node TEXT,
    lease_number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    consumed INTEGER NOT NULL,
    asking INTEGER NOT NULL,
    open_from INTEGER NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT
  ) STRICT;
  CREATE INDEX tasks_in_order ON tasks (agent, tenant, subject, status_time, id);
  CREATE INDEX tasks_of_state ON tasks (agent, tenant, subject, state, status_time, id);
  CREATE INDEX tasks_of_context ON tasks (agent, tenant, subject, context_id, status_time, id, state);
  CREATE INDEX tasks_run ON tasks (lease_node)
    WHERE lease_node IS NOT NULL AND state IN ('submitted', 'working');

  CREATE TABLE log (
    task INTEGER NOT NULL,
    seq_from INTEGER NOT NULL,
    seq_to INTEGER NOT NULL,
    kinds INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX log_of_task ON log (task, seq_to);
  CREATE INDEX log_of_talk ON log (task, seq_to) WHERE kinds & 1;

  CREATE TABLE artifacts (
    task INTEGER NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task, id)
  ) STRICT;

  CREATE TABLE contexts (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_task_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE keys (
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    digest TEXT NOT NULL,
    task_id TEXT,
    message_seq INTEGER,
    reply TEXT,
    PRIMARY KEY (tenant, subject, agent, key)
  ) STRICT;
  CREATE INDEX keys_by_expiry ON keys (expires_at);

  CREATE TABLE counts (
    agent TEXT NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    tasks INTEGER NOT NULL,
    PRIMARY KEY (agent, tenant, subject, state)
  ) STRICT, WITHOUT ROWID;
  `,
  // Rows of the log may hold runs of texts from here on, which earlier releases cannot read.
  '',
  `
  CREATE TABLE journal (
    task INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task, number)
  ) STRICT;
  `,
  // `asking` may be the time until which an answer is waited for.
  `
  CREATE INDEX tasks_wait ON tasks (lease_node) WHERE lease_node IS NOT NULL AND asking > 1;
  `,
  `
  CREATE TABLE context_state (
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    agent TEXT NOT NULL,
    context_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    PRIMARY KEY (tenant, subject, agent, context_id, key)
  ) STRICT;
  CREATE INDEX context_state_by_expiry ON context_state (expires_at);
  `,
  // For purging: which tasks have ended, what led to them, and which contexts have none left.
  `
  CREATE INDEX tasks_ended ON tasks (status_time)
    WHERE lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected');
  CREATE INDEX keys_of_task ON keys (task_id) WHERE task_id IS NOT NULL;
  ALTER TABLE contexts ADD COLUMN tasks INTEGER NOT NULL DEFAULT 0;
  UPDATE contexts SET tasks = held.tasks
    FROM (SELECT tenant, context_id, count(*) AS tasks FROM tasks GROUP BY tenant, context_id) AS held
    WHERE contexts.tenant = held.tenant AND contexts.id = held.context_id;
  CREATE INDEX contexts_without_tasks ON contexts (tenant, id) WHERE tasks = 0;
  CREATE INDEX context_state_of_context ON context_state (tenant, context_id);
  `,
  // Webhooks of tasks, and how far followers of tasks have come. Both are few, and found by the id of their task.
  `
  CREATE TABLE push_configs (
    task_id TEXT NOT NULL,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    since INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    dialect TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE cursors (
    task_id TEXT NOT NULL,
    follower TEXT NOT NULL,
    seq INTEGER NOT NULL,
    lease_number INTEGER NOT NULL,
    lease_node TEXT,
    details TEXT,
    PRIMARY KEY (task_id, follower)
  ) STRICT, WITHOUT ROWID;
  `,
  // Keys of callers: their hashes. Other programs write here while a server uses the file.
  `
  CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    subject TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Contexts of two callers may have the same id.
  `
  CREATE TABLE owned_contexts (
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_task_at INTEGER NOT NULL,
    tasks INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, subject, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO owned_contexts SELECT tenant, subject, id, created_at, last_task_at, tasks FROM contexts;
  DROP TABLE contexts;
  ALTER TABLE owned_contexts RENAME TO contexts;
  CREATE INDEX contexts_without_tasks ON contexts (tenant, subject, id) WHERE tasks = 0;
  DROP INDEX context_state_of_context;
  CREATE INDEX context_state_of_context ON context_state (tenant, subject, context_id);
  `,
  // Subjects that use a context of another one, for as long as it is there.
  `
  CREATE TABLE context_members (
    tenant TEXT NOT NULL,
    member TEXT NOT NULL,
    context_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (tenant, member, context_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_of_context ON context_members (tenant, subject, context_id);
  CREATE TRIGGER members_leave AFTER DELETE ON contexts BEGIN
    DELETE FROM context_members WHERE tenant = OLD.tenant AND subject = OLD.subject AND context_id = OLD.id;
  END;
  `,
  // Keys of callers who belong to a tenant.
  "ALTER TABLE api_keys ADD COLUMN tenant TEXT NOT NULL DEFAULT ''",
  // Values that a server makes once and keeps, such as its webhook signing key.
  `
  CREATE TABLE kept_values (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Ended tasks whose events were dropped; what their histories need is in rows of the log whose `seq_to` is negative.
  `
  ALTER TABLE tasks ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
  DROP INDEX tasks_ended;
  CREATE INDEX tasks_ended ON tasks (status_time)
    WHERE trimmed = 0 AND lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected');
  CREATE INDEX tasks_trimmed ON tasks (status_time)
    WHERE trimmed = 1 AND lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected');
  `,
];

/** Refuses a database that something else, or a newer release, has written. */
export function assertOurs({ applicationId, schema }: FileHeader, path: string): void {
  if (applicationId !== APPLICATION_ID) {
    throw new StoreError('FOREIGN_FILE', `${path} is an SQLite database of another program, so it is left alone.`);
  }
  if (schema > MIGRATIONS.length) {
    const known = `this release knows schema ${MIGRATIONS.length}`;
    throw new StoreError('NEWER_SCHEMA', `${path} has schema ${schema} of a newer release (${known}).`);
  }
}

/** The same as in the file's header, with what is still in the WAL. */
export function headerOf(database: Database): FileHeader {
  return {
    applicationId: Number(database.pragma('application_id')),
    schema: Number(database.pragma('user_version')),
  };
}

/** Brings a database to the present schema. */
export function migrate(database: Database): void {
  for (let version = Number(database.pragma('user_version')); version < MIGRATIONS.length; version += 1) {
    database.write(() => {
      database.exec(MIGRATIONS[version] ?? '');
      database.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}
