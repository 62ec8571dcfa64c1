/**
 * Settings with which the statements of our functions are planned: once in each session, by their indexes. What is switched
 * off is counted as very dear where it cannot be avoided, as a scan of the rows of a batch is, and Postgres would compile
 * such a statement each time (`jit`), which takes seconds.
 */
export const PLANNED = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_bitmapscan = off SET jit = off`;

/** The members of an entry, as JSON has them. */
const ENTRY = `n integer, id text, expected_seq bigint, expected_lease bigint, agent text, tenant text, subject text,
  context_id text, created_at bigint, state text, status_time bigint, lease_node text, lease_number bigint, seq bigint,
  consumed bigint, asking bigint, open_from bigint, status text, metadata text, log_from bigint, log_to bigint,
  log_kinds integer, log_body text, message_time bigint`;
const PLACE = 'tenant text, subject text, agent text, context_id text';
const KEY = `n integer, tenant text, subject text, agent text, key text, expires_at bigint, digest text, task_id text,
  message_seq bigint, reply text`;

/**
 * A commit: one call, and so one round trip and one transaction, for a whole batch. Entries are judged alone; no task and no
 * key may be in a batch twice. Returns their results, in order, with a comma between them.
 *
 * What was judged from the beginning of the statement may have changed when a row is written. Then the whole batch is rolled
 * back (40001) and repeated, which is simpler than to take back one entry, and happens only where a lease moves or two nodes
 * use one key in the same moment. Tables are written in one order, tasks, contexts, what they keep, keys and counts, and the
 * rows of each in the order of their keys, so that commits do not block each other for ever; counts come last, because
 * everybody needs them.
 */
export const COMMIT_FUNCTION = `
CREATE FUNCTION commit_1(entries json, key_rows json, artifact_rows json, journal_rows json, context_rows json,
  push_rows json, queue_rows json, at bigint, own_stripe integer) RETURNS text LANGUAGE plpgsql ${PLANNED} AS $body$
DECLARE
  results text;
  accepted integer;
  written integer[];
  numbers bigint[];
  passed integer[];
  touched integer;
  moves json;
  touches json;
  change record;
BEGIN
  -- Whoever shares a context keeps this lock from others, so that nobody begins one of that id meanwhile.
  LOCK TABLE @.contexts IN ROW EXCLUSIVE MODE;

  WITH entry AS MATERIALIZED (
    SELECT * FROM json_to_recordset(entries) AS e(${ENTRY})
  ), taken AS MATERIALIZED (
    SELECT DISTINCT k.n FROM json_to_recordset(key_rows) AS k(${KEY}) JOIN @.keys AS held
      ON held.tenant = k.tenant AND held.subject = k.subject AND held.agent = k.agent AND held.key = k.key
      AND held.expires_at > at
  ), judged AS MATERIALIZED (
    SELECT entry.*, held.key AS number, held.state AS old_state, CASE
      WHEN entry.id IS NOT NULL AND (coalesce(held.seq, 0) <> entry.expected_seq
        OR coalesce(held.lease_number, 0) <> entry.expected_lease) THEN 'conflict'
      WHEN EXISTS (SELECT 1 FROM taken WHERE taken.n = entry.n) THEN 'key-taken'
      WHEN entry.id IS NOT NULL AND held.key IS NULL AND EXISTS (SELECT 1 FROM @.context_members AS m
        WHERE m.tenant = entry.tenant AND m.member = entry.subject AND m.context_id = entry.context_id)
        THEN 'context-taken'
      ELSE 'ok' END AS result
    FROM entry LEFT JOIN @.tasks AS held ON held.id = entry.id
  ), inserted AS (
    INSERT INTO @.tasks (id, agent, tenant, subject, context_id, created_at, state, status_time, lease_node, lease_number,
      seq, consumed, asking, open_from, status, metadata)
    SELECT id, agent, tenant, subject, context_id, created_at, state, status_time, lease_node, lease_number,
      seq, consumed, asking, open_from, status, metadata
    FROM judged WHERE result = 'ok' AND id IS NOT NULL AND number IS NULL
    RETURNING tasks.key, tasks.id
  ), updated AS (
    UPDATE @.tasks AS t SET state = j.state, status_time = j.status_time, lease_node = j.lease_node,
      lease_number = j.lease_number, seq = j.seq, consumed = j.consumed, asking = j.asking, open_from = j.open_from,
      status = j.status, metadata = j.metadata
    FROM judged AS j WHERE t.key = j.number AND j.result = 'ok'
      AND t.seq = j.expected_seq AND t.lease_number = j.expected_lease
    RETURNING t.key, t.id
  ), stored AS MATERIALIZED (
    SELECT j.n, w.key FROM (SELECT key, id FROM inserted UNION ALL SELECT key, id FROM updated) AS w
      JOIN judged AS j ON j.id = w.id
  ), logged AS (
    INSERT INTO @.log (task, seq_from, seq_to, kinds, body)
    SELECT s.key, j.log_from, j.log_to, j.log_kinds, j.log_body
    FROM stored AS s JOIN judged AS j ON j.n = s.n WHERE j.log_body IS NOT NULL
  ), used AS (
    INSERT INTO @.contexts AS c (tenant, subject, id, created_at, last_task_at, tasks)
    SELECT tenant, subject, context_id, min(created_at), max(created_at), count(*)
    FROM judged WHERE result = 'ok' AND id IS NOT NULL AND number IS NULL
    GROUP BY tenant, subject, context_id
    ORDER BY tenant COLLATE "C", subject COLLATE "C", context_id COLLATE "C"
    ON CONFLICT (tenant, subject, id)
    DO UPDATE SET last_task_at = excluded.last_task_at, tasks = c.tasks + excluded.tasks
  ), spoken AS (
    SELECT m.* FROM (SELECT tenant, subject, agent, context_id, min(message_time) AS earliest, max(message_time) AS latest
      FROM judged WHERE result = 'ok' AND message_time IS NOT NULL GROUP BY tenant, subject, agent, context_id) AS m
    WHERE EXISTS (SELECT 1 FROM @.context_state AS c WHERE c.tenant = m.tenant AND c.subject = m.subject
      AND c.agent = m.agent AND c.context_id = m.context_id)
  ), moved AS (
    SELECT agent, tenant, subject, state, sum(by) AS by FROM (
      SELECT agent, tenant, subject, state, 1 AS by FROM judged
      WHERE result = 'ok' AND id IS NOT NULL AND state IS DISTINCT FROM old_state
      UNION ALL
      SELECT agent, tenant, subject, old_state, -1 FROM judged
      WHERE result = 'ok' AND old_state IS NOT NULL AND state <> old_state
    ) AS step GROUP BY agent, tenant, subject, state HAVING sum(by) <> 0
  )
  SELECT string_agg(j.result, ',' ORDER BY j.n), count(*) FILTER (WHERE j.result = 'ok' AND j.id IS NOT NULL),
    array_agg(j.n) FILTER (WHERE j.result = 'ok'), array_agg(s.n) FILTER (WHERE s.n IS NOT NULL),
    array_agg(s.key) FILTER (WHERE s.n IS NOT NULL), (SELECT json_agg(m) FROM moved AS m), (SELECT json_agg(t) FROM spoken AS t)
  INTO results, accepted, passed, written, numbers, moves, touches
  FROM judged AS j LEFT JOIN stored AS s ON s.n = j.n;

  IF accepted <> coalesce(cardinality(written), 0) THEN
    RAISE EXCEPTION 'A task was changed meanwhile' USING ERRCODE = '40001';
  END IF;

  IF artifact_rows IS NOT NULL THEN
    INSERT INTO @.artifacts (task, id, position, seq, body)
    SELECT s.key, a.id, a.position, a.seq, a.body
    FROM json_to_recordset(artifact_rows) AS a(n integer, id text, position bigint, seq bigint, body text)
      JOIN unnest(written, numbers) AS s(n, key) ON s.n = a.n
    ON CONFLICT (task, id) DO UPDATE SET position = excluded.position, seq = excluded.seq, body = excluded.body;
  END IF;

  IF journal_rows IS NOT NULL THEN
    INSERT INTO @.journal (task, number, seq, body)
    SELECT s.key, r.number, r.seq, r.body
    FROM json_to_recordset(journal_rows) AS r(n integer, number bigint, seq bigint, body text)
      JOIN unnest(written, numbers) AS s(n, key) ON s.n = r.n;
  END IF;

  IF push_rows IS NOT NULL THEN
    INSERT INTO @.push_configs (task_id, id, tenant, subject, since, created_at, dialect, body)
    SELECT p.task_id, p.id, p.tenant, p.subject, p.since, p.created_at, p.dialect, p.body
    FROM json_to_recordset(push_rows) AS p(n integer, task_id text, id text, tenant text, subject text, since bigint,
      created_at bigint, dialect text, body text) WHERE p.n = ANY (written)
    ON CONFLICT (task_id, id) DO UPDATE SET tenant = excluded.tenant, subject = excluded.subject, since = excluded.since,
      created_at = excluded.created_at, dialect = excluded.dialect, body = excluded.body;
  END IF;

  IF queue_rows IS NOT NULL THEN
    DELETE FROM @.queue AS q USING json_to_recordset(queue_rows) AS r(n integer, task_id text, body text)
      WHERE q.task_id = r.task_id AND r.body IS NULL AND r.n = ANY (written);
    INSERT INTO @.queue (task_id, agent, tenant, subject, context_id, rank, arrival, deadline, body)
    SELECT r.task_id, r.agent, r.tenant, r.subject, r.context_id, r.rank, r.arrival, r.deadline, r.body
    FROM json_to_recordset(queue_rows) AS r(n integer, task_id text, agent text, tenant text, subject text,
      context_id text, rank double precision, arrival bigint, deadline bigint, body text)
      WHERE r.body IS NOT NULL AND r.n = ANY (written)
    ON CONFLICT (task_id) DO UPDATE SET rank = excluded.rank, arrival = excluded.arrival, deadline = excluded.deadline,
      body = excluded.body, claim = NULL;
  END IF;

  IF touches IS NOT NULL OR context_rows IS NOT NULL THEN
    PERFORM 1 FROM (
      SELECT tenant, subject, agent, context_id FROM json_to_recordset(touches) AS t(${PLACE})
      UNION SELECT tenant, subject, agent, context_id FROM json_to_recordset(context_rows) AS t(${PLACE})
    ) AS place JOIN @.context_state AS c ON c.tenant = place.tenant AND c.subject = place.subject
      AND c.agent = place.agent AND c.context_id = place.context_id
    ORDER BY c.tenant, c.subject, c.agent, c.context_id, c.key FOR UPDATE OF c;
    UPDATE @.context_state AS c SET expires_at = greatest(c.expires_at, t.latest + c.lifetime)
    FROM json_to_recordset(touches) AS t(${PLACE}, earliest bigint, latest bigint)
    WHERE c.tenant = t.tenant AND c.subject = t.subject AND c.agent = t.agent AND c.context_id = t.context_id
      AND c.expires_at > t.earliest;
  END IF;

  IF context_rows IS NOT NULL THEN
    FOR change IN SELECT * FROM ROWS FROM (json_to_recordset(context_rows) AS (n integer, tenant text, subject text, agent text,
      context_id text, key text, value text, changed_at bigint, lifetime bigint)) WITH ORDINALITY
      AS c(n, tenant, subject, agent, context_id, key, value, changed_at, lifetime, place) WHERE c.n = ANY (written)
      ORDER BY c.tenant COLLATE "C", c.subject COLLATE "C", c.agent COLLATE "C", c.context_id COLLATE "C",
        c.key COLLATE "C", c.place
    LOOP
      UPDATE @.context_state AS c SET expires_at = greatest(c.expires_at, change.changed_at + c.lifetime)
        WHERE c.tenant = change.tenant AND c.subject = change.subject AND c.agent = change.agent
          AND c.context_id = change.context_id AND c.expires_at > change.changed_at;
      IF change.value IS NULL THEN
        DELETE FROM @.context_state AS c WHERE c.tenant = change.tenant AND c.subject = change.subject
          AND c.agent = change.agent AND c.context_id = change.context_id AND c.key = change.key;
      ELSE
        INSERT INTO @.context_state (tenant, subject, agent, context_id, key, value, expires_at, lifetime)
        VALUES (change.tenant, change.subject, change.agent, change.context_id, change.key, change.value,
          change.changed_at + change.lifetime, change.lifetime)
        ON CONFLICT (tenant, subject, agent, context_id, key) DO UPDATE
          SET value = excluded.value, expires_at = excluded.expires_at, lifetime = excluded.lifetime;
      END IF;
    END LOOP;
  END IF;

  IF key_rows IS NOT NULL THEN
    INSERT INTO @.keys AS held (tenant, subject, agent, key, expires_at, digest, task_id, message_seq, reply)
    SELECT k.tenant, k.subject, k.agent, k.key, k.expires_at, k.digest, k.task_id, k.message_seq, k.reply
    FROM json_to_recordset(key_rows) AS k(${KEY}) WHERE k.n = ANY (passed)
    ORDER BY k.tenant COLLATE "C", k.subject COLLATE "C", k.agent COLLATE "C", k.key COLLATE "C"
    ON CONFLICT (tenant, subject, agent, key) DO UPDATE SET expires_at = excluded.expires_at, digest = excluded.digest,
      task_id = excluded.task_id, message_seq = excluded.message_seq, reply = excluded.reply
      WHERE held.expires_at <= at;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched <> (SELECT count(*) FROM json_to_recordset(key_rows) AS k(n integer) WHERE k.n = ANY (passed)) THEN
      RAISE EXCEPTION 'A key was taken meanwhile' USING ERRCODE = '40001';
    END IF;
  END IF;

  IF moves IS NOT NULL THEN
    INSERT INTO @.counts AS c (agent, tenant, subject, state, stripe, tasks)
    SELECT m.agent, m.tenant, m.subject, m.state, own_stripe, m.by
    FROM json_to_recordset(moves) AS m(agent text, tenant text, subject text, state text, by bigint)
    ORDER BY m.agent COLLATE "C", m.tenant COLLATE "C", m.subject COLLATE "C", m.state COLLATE "C"
    ON CONFLICT (agent, tenant, subject, state, stripe) DO UPDATE SET tasks = c.tasks + excluded.tasks;
    INSERT INTO @.agent_counts AS c (agent, state, stripe, tasks)
    SELECT m.agent, m.state, own_stripe, sum(m.by)
    FROM json_to_recordset(moves) AS m(agent text, state text, by bigint)
    GROUP BY m.agent, m.state ORDER BY m.agent COLLATE "C", m.state COLLATE "C"
    ON CONFLICT (agent, state, stripe) DO UPDATE SET tasks = c.tasks + excluded.tasks;
  END IF;

  RETURN results;
END
$body$;
`;
