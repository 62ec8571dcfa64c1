import { A2AError, quoted, taskNotFound } from '../../model/errors/errors.ts';
import { copyMark } from '../../model/extensions/copies.ts';
import { isTerminal } from '../../model/states.ts';
import type { ContextChange, JournalEntry, KeyScope, Owner, Store, TaskCommit, TaskHead } from '../ports.ts';
import { commitOfCopy } from './copied-log.ts';
import { measureLog, readWholeLog, requireSmallJournal } from './whole-log.ts';

/** The most tasks that a context may have to be forked. */
const MOST_FORKED = 500;
/** The most that the logs of all those tasks may have together. */
const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = 256;

interface ForkOptions {
  readonly owner: Owner;
  readonly contextId: string;
  /** The id of the last task that is copied. */
  readonly upTo?: string | undefined;
  readonly agents: readonly string[];
  readonly newId: () => string;
  readonly now: number;
  readonly contextLifetime: number;
}

export interface ForkedContext {
  readonly contextId: string;
  /** The oldest first. */
  readonly taskIds: readonly string[];
}

/**
 * Copies the tasks of a context that have ended into a new one, up to one of them, with what their runs recorded, and what the
 * context keeps by now. Tasks that work or wait stay where they are alone.
 */
export async function forkContext(
  store: Store,
  commit: (entry: TaskCommit) => Promise<void>,
  options: ForkOptions,
): Promise<ForkedContext> {
  const heads = await tasksOf(store, options);
  await requireRoom(store, heads);
  const contextId = options.newId();
  const taskIds: string[] = [];
  const kept = new Set<string>();
  for (const head of heads) {
    const id = options.newId();
    const scope = { ...options.owner, agent: head.agent };
    const context = kept.has(head.agent) ? undefined : await changesOf(store, scope, options);
    kept.add(head.agent);
    await commit(await copyOf(store, head, { id, contextId }, context));
    taskIds.push(id);
  }
  return { contextId, taskIds };
}

async function copyOf(
  store: Store,
  { id: of, agent, owner, createdAt }: TaskHead,
  place: { readonly id: string; readonly contextId: string },
  context: readonly ContextChange[] | undefined,
): Promise<TaskCommit> {
  const events = await readWholeLog(store, of);
  const mark = copyMark({ taskId: of });
  const [created, ...others] = events;
  const first = created?.kind === 'created' ? [{ ...created, metadata: { ...created.metadata, ...mark } }] : [];
  return commitOfCopy({
    identity: { ...place, agent, owner, createdAt },
    events: [...first, ...others],
    journal: (await store.journal(of)).filter(isReadable),
    context,
    lease: { number: 1, node: null },
  });
}

/** Looks at all logs before the first one is copied: a fork that is refused leaves nothing. */
async function requireRoom(store: Store, heads: readonly TaskHead[]): Promise<void> {
  let size = 0;
  for (const { id } of heads) {
    size += await measureLog(store, id);
    requireSmallJournal(id, await store.journal(id));
    if (size > MOST_MEGABYTES * MEGABYTE) {
      throw new A2AError(
        'UNSUPPORTED_OPERATION',
        `The tasks of the context have more than ${MOST_MEGABYTES} MB up to there, which is the most that a fork takes`,
      );
    }
  }
}

/** Secrets are encrypted for one task. */
function isReadable({ body }: JournalEntry): boolean {
  return body.kind !== 'secret' && body.sealed === undefined;
}

async function changesOf(store: Store, scope: KeyScope, { contextId, now, contextLifetime }: ForkOptions) {
  const values = await store.contextState(scope, contextId, now);
  const changes = [...values].map(([key, value]) => ({ key, value, time: now, lifetime: contextLifetime }));
  return changes.length === 0 ? undefined : changes;
}

/** The tasks to copy, the oldest first. */
async function tasksOf(store: Store, { owner, contextId, upTo, agents }: ForkOptions): Promise<readonly TaskHead[]> {
  const limit = MOST_FORKED + 1;
  const pages = await Promise.all(agents.map(async (agent) => store.list({ agent, owner, contextId, limit })));
  const all = pages
    .flatMap(({ heads }) => heads)
    .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  if (all.length === 0) {
    throw new A2AError('NOT_FOUND', `${owner.subject || 'The anonymous caller'} has no context "${quoted(contextId)}"`);
  }
  const last = upTo === undefined ? all.length - 1 : all.findIndex(({ id }) => id === upTo);
  if (last < 0) throw taskNotFound(upTo ?? '');
  const ended = all.slice(0, last + 1).filter(({ status }) => isTerminal(status.state));
  if (ended.length > MOST_FORKED) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      `The context has more than ${MOST_FORKED} tasks up to there, which is the most that a fork takes`,
    );
  }
  if (ended.length === 0) throw new A2AError('UNSUPPORTED_OPERATION', 'No task of the context has ended up to there');
  return ended;
}
