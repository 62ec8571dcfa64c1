import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FoundTask, LogPage } from '../../../../parley/src/server/operator/console-api.ts';
import { useServerInfo } from '../../api/server-info.ts';
import { CopyButton, StateBadge, Time } from '../../design/components/index.ts';
import styles from './task-page.module.css';
import { traceLink } from './trace-link.ts';

interface TaskHeadProps {
  readonly head: LogPage;
  readonly state: string | undefined;
  readonly found: FoundTask | undefined;
}

/** What a task is, in one line that breaks where it must. */
export function TaskHead({ head, state, found }: TaskHeadProps) {
  const { taskId, contextId, agent } = head;
  return (
    <dl className={styles.facts}>
      <Fact name="State">{state === undefined ? 'unknown' : <StateBadge state={state} />}</Fact>
      <Fact name="Agent">
        <Link href={`/agents/${encodeURIComponent(agent)}`}>{agent}</Link>
      </Fact>
      {found && (
        <Fact name="Created">
          <Time value={found.createdAt} />
        </Fact>
      )}
      <Fact name="Task">
        <code>{taskId}</code> <CopyButton text={taskId} label="the id of the task" />
      </Fact>
      <Fact name="Context">
        <Link href={`/tasks?context=${encodeURIComponent(contextId)}`}>
          <code>{contextId}</code>
        </Link>
      </Fact>
      {found?.rerunOf !== undefined && (
        <Fact name="Rerun of">
          <Link href={`/tasks/${encodeURIComponent(found.rerunOf)}`}>
            <code>{found.rerunOf}</code>
          </Link>
        </Fact>
      )}
      {found?.traceId !== undefined && <Trace id={found.traceId} />}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Trace({ id }: { readonly id: string }) {
  const { data: server } = useServerInfo();
  const href = traceLink(server?.features.tracingUrl, id);
  return (
    <Fact name="Trace">
      {href === undefined ? (
        <code title="The setting console.tracingUrl of the server makes this a link">{id}</code>
      ) : (
        <a href={href} target="_blank" rel="noreferrer">
          <code>{id}</code>
        </a>
      )}
    </Fact>
  );
}
