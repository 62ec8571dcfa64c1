import type { ClusterLogEntry } from 'parley-a2a/testing';
import pg from 'pg';

/** Rows that are read at once. */
const PAGE = 10_000;

/**
 * Every write of a task is noted by the database itself, in the transaction that makes it: whoever wrote it, whatever they
 * believe. Nodes are told apart by the names of their sessions.
 */
const AUDIT = `CREATE SCHEMA audit;
  CREATE TABLE audit.commits (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, node text, task text, lease bigint,
    seq_from bigint, seq_to bigint);
  CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit.commits (node, task, lease, seq_from, seq_to)
    VALUES (current_setting('application_name'), NEW.id, NEW.lease_number,
      CASE WHEN TG_OP = 'UPDATE' THEN OLD.seq ELSE 0 END, NEW.seq);
    RETURN NULL;
  END $$;
  CREATE TRIGGER note AFTER INSERT OR UPDATE ON parley.tasks FOR EACH ROW EXECUTE FUNCTION audit.note()`;

/** Begins to note writes. The tables of the store must be there. */
export async function auditCommits(url: string): Promise<void> {
  await withClient(url, (client) => client.query(AUDIT));
}

interface Row {
  readonly n: string;
  readonly node: string;
  readonly task: string;
  readonly lease: string;
  readonly seq_from: string;
  readonly seq_to: string;
}

/** The writes that were noted, in the order in which they were made. */
export async function* readCommits(url: string): AsyncGenerator<ClusterLogEntry, void, void> {
  let rows: readonly Row[];
  let last = '0';
  do {
    const after = last;
    rows = await withClient(url, async (client) => {
      const page = `SELECT * FROM audit.commits WHERE n > $1 ORDER BY n LIMIT ${PAGE}`;
      return (await client.query<Row>(page, [after])).rows;
    });
    for (const { n, node, task: taskId, lease, seq_from: from, seq_to: to } of rows) {
      yield { kind: 'commit', node, taskId, lease: Number(lease), from: Number(from), to: Number(to) };
      last = n;
    }
  } while (rows.length === PAGE);
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
