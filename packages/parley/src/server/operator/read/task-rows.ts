import type { ListCursor, ListQuery, LogFacet, TaskHead } from '../../../engine/ports.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import { A2AError, quoted } from '../../../model/errors/errors.ts';
import { summaryOf } from '../../../model/extensions/summary.ts';
import { isInterrupted, isTerminal, TASK_STATES, type TaskState } from '../../../model/states.ts';
import type { TaskActivity, TaskPage, TaskRow } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';
import { numberOf, placeOf, placeToken, textOf, timeOf } from '../query-fields.ts';
import { FirstWords, type FirstWordsOptions } from './first-words.ts';
import { wireState } from './wire-state.ts';

const LARGEST_PAGE = 200;
const USUAL_PAGE = 50;

interface TaskRowsOptions extends FirstWordsOptions {
  readonly store: Pick<LogFacet, 'list' | 'read'>;
  /** The names of the server's agents. */
  readonly agents: readonly string[];
}

/** Lists the tasks of all agents and callers, the latest first. */
export function taskRows({ store, agents, transformOf }: TaskRowsOptions): OperatorResource {
  const firstWords = new FirstWords({ store, transformOf });
  return {
    method: 'GET',
    async respond({ query }): Promise<TaskPage> {
      const limit = numberOf(query, 'limit', 1, LARGEST_PAGE) ?? USUAL_PAGE;
      const asked = agentsOf(textOf(query, 'agent'), agents);
      const filters = filtersOf(query, limit + 1);
      const pages = await Promise.all(asked.map(async (agent) => store.list({ ...filters, agent })));
      const heads = pages.flatMap((page) => page.heads).sort(latestFirst);
      const shown = heads.slice(0, limit);
      const last = shown.at(-1);
      return {
        tasks: await rowsOf(shown, firstWords),
        next: heads.length > limit && last ? placeToken([last.statusTime, last.id]) : undefined,
        total: pages.reduce((sum, { total }) => sum + total, 0),
      };
    },
  };
}

function agentsOf(name: string | undefined, agents: readonly string[]): readonly string[] {
  if (name === undefined) return agents;
  if (agents.includes(name)) return [name];
  throw new A2AError('INVALID_PARAMS', `There is no agent "${quoted(name)}" here. There is: ${agents.join(', ')}`);
}

function filtersOf(query: URLSearchParams, limit: number): Omit<ListQuery, 'agent'> {
  return {
    tenant: textOf(query, 'tenant'),
    contextId: textOf(query, 'context'),
    state: stateOf(textOf(query, 'state')),
    statusSince: timeOf(query, 'from'),
    after: earlierOf(placeOf(query, isPlace), timeOf(query, 'to')),
    limit,
  };
}

function stateOf(text: string | undefined): TaskState | undefined {
  if (text === undefined) return undefined;
  const state = TASK_STATES.find((known) => known === text || wireState(known) === text);
  if (state) return state;
  throw new A2AError('INVALID_PARAMS', `state must be one of ${TASK_STATES.map(wireState).join(', ')}`);
}

/** The place where a page begins. The latest time of a status is a place too: before any id of the next millisecond. */
function earlierOf(place: readonly [number, string] | undefined, to: number | undefined): ListCursor | undefined {
  const before: ListCursor | undefined = to === undefined ? undefined : { statusTime: to + 1, id: '' };
  if (!place) return before;
  const [statusTime, id] = place;
  return before && before.statusTime <= statusTime ? before : { statusTime, id };
}

function isPlace(value: unknown): value is readonly [number, string] {
  return Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && typeof value[1] === 'string';
}

function latestFirst(one: TaskHead, other: TaskHead): number {
  return other.statusTime - one.statusTime || (one.id < other.id ? 1 : -1);
}

/** Only tasks of which their agent says nothing are told by what they were asked. */
async function rowsOf(heads: readonly TaskHead[], firstWords: FirstWords): Promise<readonly TaskRow[]> {
  const unsaid = heads.filter(({ metadata }) => summaryOf(metadata) === undefined);
  const words = await firstWords.of(unsaid);
  const wordsOf = new Map(unsaid.map(({ id }, index) => [id, words[index]]));
  return heads.map((head) => ({ ...rowOf(head), firstWords: wordsOf.get(head.id) || undefined }));
}

function rowOf(head: TaskHead): TaskRow {
  const { id, contextId, agent, status, createdAt, statusTime, seq, lease, owner, metadata } = head;
  return {
    id,
    contextId,
    agent,
    state: wireState(status.state),
    createdAt: isoTime(createdAt),
    statusAt: isoTime(statusTime),
    seq,
    activity: activityOf(status.state),
    node: isTerminal(status.state) ? undefined : (lease.node ?? undefined),
    summary: summaryOf(metadata),
    owner: { tenant: owner.tenant || undefined, subject: owner.subject || undefined },
  };
}

export function activityOf(state: TaskState): TaskActivity {
  if (isTerminal(state)) return 'ended';
  if (isInterrupted(state)) return 'waiting';
  return state === 'submitted' ? 'queued' : 'running';
}
