/**
 * The tables. `C` is the order of bytes, which no update of the system changes, and in which ids are compared fast.
 * `tasks.key` is a small number that stands for the id in the tables that grow. `log.kinds` has bit 1 set for messages and
 * statuses and bit 2 for chunks of artifacts, so that a history is read without the chunks. `tasks.trimmed` is 1 where all events but the last were dropped. `counts` has a stripe for each of
 * several writers: on one row, all commits of all nodes would wait for each other. `agent_counts` has the same for all callers together. `queue.rank` is the priority with its sign turned, so that
 * the queue has one order; `queue.claim` names the call that took the turn.
 */
export const TABLES = `
  CREATE TABLE tasks (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    agent text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    status_time bigint NOT NULL,
    lease_node text COLLATE "C",
    lease_number bigint NOT NULL,
    seq bigint NOT NULL,
    consumed bigint NOT NULL,
    asking bigint NOT NULL,
    open_from bigint NOT NULL,
    status text NOT NULL,
    metadata text,
    trimmed integer NOT NULL DEFAULT 0
  ) WITH (fillfactor = 80);
  CREATE INDEX tasks_in_order ON tasks (agent, tenant, subject, status_time, id);
  CREATE INDEX tasks_of_state ON tasks (agent, tenant, subject, state, status_time, id);
  CREATE INDEX tasks_of_context ON tasks (agent, context_id, tenant, subject, status_time, id, state);
  CREATE INDEX tasks_of_agent ON tasks (agent, state, status_time, id);
  CREATE INDEX tasks_held ON tasks (lease_node)
    WHERE lease_node IS NOT NULL AND (state IN ('submitted', 'working') OR asking > 1);
  CREATE INDEX tasks_ended ON tasks (status_time, key)
    WHERE trimmed = 0 AND lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected');
  CREATE INDEX tasks_trimmed ON tasks (status_time, key)
    WHERE trimmed = 1 AND lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected');

  CREATE TABLE log (
    task bigint NOT NULL,
    seq_from bigint NOT NULL,
    seq_to bigint NOT NULL,
    kinds integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (task, seq_to)
  );
  CREATE INDEX log_of_talk ON log (task, seq_to) WHERE (kinds & 1) <> 0;

  CREATE TABLE artifacts (
    task bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (task, id)
  );

  CREATE TABLE journal (
    task bigint NOT NULL,
    number bigint NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (task, number)
  );

  CREATE TABLE contexts (
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    last_task_at bigint NOT NULL,
    tasks bigint NOT NULL,
    PRIMARY KEY (tenant, subject, id)
  ) WITH (fillfactor = 80);
  CREATE INDEX contexts_without_tasks ON contexts (tenant, subject, id) WHERE tasks = 0;

  CREATE TABLE context_members (
    tenant text COLLATE "C" NOT NULL,
    member text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, member, context_id)
  );
  CREATE INDEX members_of_context ON context_members (tenant, subject, context_id);

  CREATE TABLE context_state (
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    expires_at bigint NOT NULL,
    lifetime bigint NOT NULL,
    PRIMARY KEY (tenant, subject, agent, context_id, key)
  );
  CREATE INDEX context_state_by_expiry ON context_state (expires_at);
  CREATE INDEX context_state_of_context ON context_state (tenant, subject, context_id);

  CREATE TABLE keys (
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    expires_at bigint NOT NULL,
    digest text NOT NULL,
    task_id text COLLATE "C",
    message_seq bigint,
    reply text,
    PRIMARY KEY (tenant, subject, agent, key)
  );
  CREATE INDEX keys_by_expiry ON keys (expires_at);
  CREATE INDEX keys_of_task ON keys (task_id) WHERE task_id IS NOT NULL;

  CREATE TABLE counts (
    agent text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    stripe integer NOT NULL,
    tasks bigint NOT NULL,
    PRIMARY KEY (agent, tenant, subject, state, stripe)
  ) WITH (fillfactor = 50);

  CREATE TABLE agent_counts (
    agent text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    stripe integer NOT NULL,
    tasks bigint NOT NULL,
    PRIMARY KEY (agent, state, stripe)
  ) WITH (fillfactor = 50);

  CREATE TABLE push_configs (
    task_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    created_at bigint NOT NULL,
    dialect text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (task_id, id)
  );

  CREATE TABLE cursors (
    task_id text COLLATE "C" NOT NULL,
    follower text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    lease_number bigint NOT NULL,
    lease_node text COLLATE "C",
    details text,
    PRIMARY KEY (task_id, follower)
  ) WITH (fillfactor = 80);

  CREATE TABLE api_keys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    hash text NOT NULL,
    subject text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    tenant text NOT NULL DEFAULT ''
  );

  CREATE TABLE kept_values (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    value text NOT NULL
  );

  CREATE TABLE queue (
    task_id text COLLATE "C" NOT NULL PRIMARY KEY,
    agent text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    rank double precision NOT NULL,
    arrival bigint NOT NULL,
    deadline bigint,
    body text NOT NULL,
    claim text COLLATE "C"
  );
  CREATE INDEX queue_in_order ON queue (rank, arrival, task_id);
  CREATE INDEX queue_of_context ON queue (agent, tenant, subject, context_id, rank, arrival, task_id);
  CREATE INDEX queue_by_deadline ON queue (deadline) WHERE deadline IS NOT NULL;

  CREATE TABLE long_names (
    cell text COLLATE "C" NOT NULL PRIMARY KEY,
    name text NOT NULL
  );

  CREATE TABLE nodes (
    node text COLLATE "C" NOT NULL PRIMARY KEY,
    alive_until bigint NOT NULL
  ) WITH (fillfactor = 50);

  CREATE UNLOGGED TABLE rates (
    key text COLLATE "C" NOT NULL PRIMARY KEY,
    until bigint NOT NULL,
    total bigint NOT NULL
  ) WITH (fillfactor = 50);
`;
