import { PLANNED } from './commit-function.ts';

const HAS_ENDED = `t.lease_node IS NULL AND t.state IN ('completed', 'failed', 'canceled', 'rejected')
      AND t.status_time < ended_before`;
/** Each webhook has been told everything: its cursor, or its own place while it has none, is at the end of the log. */
const IS_TOLD = `NOT EXISTS (SELECT 1 FROM @.push_configs AS p LEFT JOIN @.cursors AS c
        ON c.task_id = p.task_id AND c.follower = p.id
        WHERE p.task_id = t.id AND coalesce(c.seq, p.since) < t.seq)`;

/**
 * Removes tasks that have ended, and everything that is kept of them. It stops after so many rows of the log, so that others
 * do not wait for long. Tasks that another call removes in this moment are passed over. Counts that come to nothing are
 * removed, with all their stripes locked: there may be ever new callers.
 */
export const PURGE_FUNCTION = `
CREATE FUNCTION purge_1(ended_before bigint, one_id text, keeps_untold boolean, most_tasks bigint, most_rows bigint,
  own_stripe integer) RETURNS SETOF text LANGUAGE plpgsql ${PLANNED} AS $body$
DECLARE
  task record;
  touched bigint;
  deleted bigint := 0;
  ended bigint[];
  gone jsonb := '[]';
BEGIN
  -- As commits do, so that nobody waits for somebody who waits.
  LOCK TABLE @.contexts IN ROW EXCLUSIVE MODE;
  IF one_id IS NULL THEN
    -- Tasks whose events are gone ended before most others, and each kind has an index of its own.
    ended := ARRAY(SELECT t.key FROM @.tasks AS t WHERE t.trimmed = 1 AND ${HAS_ENDED} AND (NOT keeps_untold OR ${IS_TOLD})
      ORDER BY t.status_time, t.key LIMIT most_tasks FOR UPDATE OF t SKIP LOCKED);
    ended := ended || ARRAY(SELECT t.key FROM @.tasks AS t WHERE t.trimmed = 0 AND ${HAS_ENDED}
      AND (NOT keeps_untold OR ${IS_TOLD})
      ORDER BY t.status_time, t.key LIMIT most_tasks - cardinality(ended) FOR UPDATE OF t SKIP LOCKED);
  ELSE
    ended := ARRAY(SELECT t.key FROM @.tasks AS t WHERE t.id = one_id AND ${HAS_ENDED}
      AND (NOT keeps_untold OR ${IS_TOLD}) FOR UPDATE OF t SKIP LOCKED);
  END IF;
  FOR task IN SELECT t.* FROM @.tasks AS t WHERE t.key = ANY (ended) ORDER BY t.status_time, t.key
  LOOP
    DELETE FROM @.log AS l WHERE l.task = task.key;
    GET DIAGNOSTICS touched = ROW_COUNT;
    deleted := deleted + touched;
    DELETE FROM @.artifacts AS a WHERE a.task = task.key;
    DELETE FROM @.journal AS j WHERE j.task = task.key;
    DELETE FROM @.push_configs AS p WHERE p.task_id = task.id;
    DELETE FROM @.cursors AS c WHERE c.task_id = task.id;
    DELETE FROM @.queue AS q WHERE q.task_id = task.id;
    DELETE FROM @.tasks AS t WHERE t.key = task.key;
    gone := gone || jsonb_build_object('id', task.id, 'agent', task.agent, 'tenant', task.tenant, 'subject', task.subject,
      'context_id', task.context_id, 'state', task.state);
    RETURN NEXT task.id;
    EXIT WHEN deleted >= most_rows;
  END LOOP;

  FOR task IN SELECT g.tenant, g.subject, g.context_id, count(*) AS tasks FROM jsonb_to_recordset(gone) AS g(tenant text, subject text, context_id text)
    GROUP BY g.tenant, g.subject, g.context_id ORDER BY g.tenant COLLATE "C", g.subject COLLATE "C", g.context_id COLLATE "C"
  LOOP
    UPDATE @.contexts AS c SET tasks = c.tasks - task.tasks
      WHERE c.tenant = task.tenant AND c.subject = task.subject AND c.id = task.context_id;
    DELETE FROM @.contexts AS c WHERE c.tenant = task.tenant AND c.subject = task.subject AND c.id = task.context_id
      AND c.tasks = 0 AND NOT EXISTS (SELECT 1 FROM @.context_state AS s
        WHERE s.tenant = c.tenant AND s.subject = c.subject AND s.context_id = c.id);
  END LOOP;
  DELETE FROM @.keys AS k WHERE k.task_id IN (SELECT g.id FROM jsonb_to_recordset(gone) AS g(id text));

  FOR task IN SELECT g.agent, g.tenant, g.subject, g.state, count(*) AS tasks FROM jsonb_to_recordset(gone) AS g(agent text, tenant text, subject text, state text)
    GROUP BY g.agent, g.tenant, g.subject, g.state ORDER BY g.agent COLLATE "C", g.tenant COLLATE "C", g.subject COLLATE "C", g.state COLLATE "C"
  LOOP
    IF (SELECT sum(c.tasks) FROM @.counts AS c WHERE c.agent = task.agent AND c.tenant = task.tenant
      AND c.subject = task.subject AND c.state = task.state) <= task.tasks THEN
      PERFORM 1 FROM @.counts AS c WHERE c.agent = task.agent AND c.tenant = task.tenant
        AND c.subject = task.subject AND c.state = task.state ORDER BY c.stripe FOR UPDATE;
      DELETE FROM @.counts AS c WHERE c.agent = task.agent AND c.tenant = task.tenant
        AND c.subject = task.subject AND c.state = task.state AND (SELECT sum(s.tasks) FROM @.counts AS s
          WHERE s.agent = task.agent AND s.tenant = task.tenant AND s.subject = task.subject
            AND s.state = task.state) = task.tasks;
      CONTINUE WHEN FOUND;
    END IF;
    INSERT INTO @.counts AS c (agent, tenant, subject, state, stripe, tasks)
    VALUES (task.agent, task.tenant, task.subject, task.state, own_stripe, -task.tasks)
    ON CONFLICT (agent, tenant, subject, state, stripe) DO UPDATE SET tasks = c.tasks + excluded.tasks;
  END LOOP;

  INSERT INTO @.agent_counts AS c (agent, state, stripe, tasks)
  SELECT g.agent, g.state, own_stripe, -count(*) FROM jsonb_to_recordset(gone) AS g(agent text, state text)
  GROUP BY g.agent, g.state ORDER BY g.agent COLLATE "C", g.state COLLATE "C"
  ON CONFLICT (agent, state, stripe) DO UPDATE SET tasks = c.tasks + excluded.tasks;
END
$body$;
`;

/** Lets subjects use a context. Returns `shared`, `unknown`, or `taken:` and the member that has one of that id. */
export const SHARE_FUNCTION = `
CREATE FUNCTION share_1(of_tenant text, of_subject text, of_context text, members text[]) RETURNS text
LANGUAGE plpgsql AS $body$
DECLARE
  other text;
  holder text;
BEGIN
  -- No commit begins a context while the members are looked at.
  LOCK TABLE @.contexts IN SHARE ROW EXCLUSIVE MODE;
  PERFORM 1 FROM @.contexts AS c WHERE c.tenant = of_tenant AND c.subject = of_subject AND c.id = of_context;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  FOREACH other IN ARRAY members LOOP
    CONTINUE WHEN other = of_subject;
    IF EXISTS (SELECT 1 FROM @.contexts AS c WHERE c.tenant = of_tenant AND c.subject = other AND c.id = of_context)
      THEN RETURN 'taken:' || other; END IF;
    SELECT m.subject INTO holder FROM @.context_members AS m
      WHERE m.tenant = of_tenant AND m.member = other AND m.context_id = of_context;
    IF FOUND AND holder <> of_subject THEN RETURN 'taken:' || other; END IF;
  END LOOP;
  INSERT INTO @.context_members (tenant, member, context_id, subject)
  SELECT of_tenant, m, of_context, of_subject FROM unnest(members) AS m WHERE m <> of_subject
  ON CONFLICT (tenant, member, context_id) DO NOTHING;
  RETURN 'shared';
END
$body$;

CREATE FUNCTION members_leave() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  DELETE FROM @.context_members AS m
    WHERE m.tenant = OLD.tenant AND m.subject = OLD.subject AND m.context_id = OLD.id;
  RETURN NULL;
END
$body$;
CREATE TRIGGER members_leave AFTER DELETE ON @.contexts FOR EACH ROW EXECUTE FUNCTION @.members_leave();
`;
