import { GitFork, MessageSquareReply, RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type {
  ForkRequest,
  ForkResult,
  FoundTask,
  LogPage,
} from '../../../../../parley/src/server/operator/console-api.ts';
import { clientFor } from '../../../api/clients.ts';
import { postOperator } from '../../../api/operator.ts';
import { Button, Dialog, ErrorNote, LinkButton } from '../../../design/components/index.ts';
import type { TaskLog } from '../../log/task-log.ts';
import { hasEnded, isWaiting } from '../../states.ts';
import styles from '../task-page.module.css';
import { useAction } from '../use-action.ts';
import { RerunForm } from './rerun-form.tsx';

interface TaskActionsProps {
  readonly head: LogPage;
  readonly log: TaskLog;
  readonly found: FoundTask | undefined;
  /** The task may have changed. */
  readonly onChanged: () => void;
}

type Question = 'rerun' | 'fork' | 'cancel';

/** What can be done with a task: answer it, stop it, run it again, or go on from it in another context. */
export function TaskActions({ head, log, found, onChanged }: TaskActionsProps) {
  const [question, setQuestion] = useState<Question>();
  const { taskId, contextId, agent } = head;
  const state = log.state ?? '';
  const talk = `/talk/${encodeURIComponent(agent)}?context=${encodeURIComponent(contextId)}`;
  const close = () => setQuestion(undefined);
  return (
    <>
      {isWaiting(state) ? (
        <LinkButton kind="primary" href={`${talk}&task=${encodeURIComponent(taskId)}`}>
          <MessageSquareReply size={16} aria-hidden /> Answer
        </LinkButton>
      ) : (
        <LinkButton href={`${talk}&task=${encodeURIComponent(taskId)}`}>Open in the chat</LinkButton>
      )}
      <Button onClick={() => setQuestion('rerun')}>
        <RotateCcw size={16} aria-hidden /> Rerun
      </Button>
      <Button onClick={() => setQuestion('fork')}>
        <GitFork size={16} aria-hidden /> Fork
      </Button>
      {!hasEnded(state) && (
        <Button kind="danger" onClick={() => setQuestion('cancel')}>
          <Square size={15} aria-hidden /> Cancel
        </Button>
      )}
      <Dialog title="Run this task again" isOpen={question === 'rerun'} onClose={close}>
        <RerunForm taskId={taskId} message={log.firstMessage} steps={found?.steps ?? []} onDone={close} />
      </Dialog>
      <Dialog title="Fork the conversation" isOpen={question === 'fork'} onClose={close}>
        <ForkForm taskId={taskId} contextId={contextId} agent={agent} />
      </Dialog>
      <Dialog title="Cancel this task" isOpen={question === 'cancel'} onClose={close}>
        <CancelForm
          taskId={taskId}
          agent={agent}
          onDone={() => {
            close();
            onChanged();
          }}
        />
      </Dialog>
    </>
  );
}

interface ForkFormProps {
  readonly taskId: string;
  readonly contextId: string;
  readonly agent: string;
}

function ForkForm({ taskId, contextId, agent }: ForkFormProps) {
  const [, navigate] = useLocation();
  const { run, error, isRunning } = useAction(async () => {
    const request: ForkRequest = { upTo: taskId };
    const forked = await postOperator<ForkResult>(`contexts/${encodeURIComponent(contextId)}/fork`, request);
    const query = `?context=${encodeURIComponent(forked.contextId)}`;
    // The conversation of another caller is theirs to go on with; whoever runs the server sees its tasks.
    navigate((await isOwn(agent, forked.contextId)) ? `/talk/${encodeURIComponent(agent)}${query}` : `/tasks${query}`);
  });
  return (
    <div className={styles.form}>
      <p>A new context begins with the tasks of this one up to this task. The old one stays as it is.</p>
      {error !== undefined && <ErrorNote error={error} />}
      <Button kind="primary" disabled={isRunning} onClick={run}>
        Fork and go on in the chat
      </Button>
    </div>
  );
}

/** The one who uses this page may speak in the context. */
async function isOwn(agent: string, contextId: string): Promise<boolean> {
  const client = clientFor({ kind: 'own', name: agent });
  return (await client.listTasks({ contextId, pageSize: 1 })).totalSize > 0;
}

interface CancelFormProps {
  readonly taskId: string;
  readonly agent: string;
  readonly onDone: () => void;
}

function CancelForm({ taskId, agent, onDone }: CancelFormProps) {
  const { run, error, isRunning } = useAction(async () => {
    await clientFor({ kind: 'own', name: agent }).cancelTask(taskId);
    onDone();
  });
  return (
    <div className={styles.form}>
      <p>The agent is stopped, and its caller sees that the task was canceled. This cannot be undone.</p>
      {error !== undefined && <ErrorNote error={error} />}
      <Button kind="danger" disabled={isRunning} onClick={run}>
        Cancel the task
      </Button>
    </div>
  );
}
