import { isDeepStrictEqual } from 'node:util';
import { textOfParts, textOfStream, textOfTask } from '../../support/frames.ts';
import type { RpcFrame, RpcPeer, Wire } from '../../support/rpc.ts';
import { parseScript, textOfScript } from '../server/script-agent.ts';
import { isEnded, type Journal, type Reading, RUNNING, WAITING } from './journal.ts';

/** A task as the server has it now, and its whole log as frames. */
export interface Found {
  readonly task: Wire;
  readonly frames: readonly RpcFrame[];
  readonly problems: string[];
}

/** Reads a task back in both ways, and holds what is found against what is known of it. */
export async function checkTask(peer: RpcPeer, id: string, journal: Journal): Promise<Found> {
  const { result: task, error } = await peer.respond('GetTask', { id });
  if (error) return { task: undefined, frames: [], problems: [`${id} is gone: ${JSON.stringify(error)}`] };
  const frames = await readBack(peer, task);
  const problems = [
    ...faultsOfLog(task, frames),
    ...faultsOfText(task, frames),
    ...faultsOfState(task, journal),
    ...faultsOfStatuses([...(journal.statuses.get(id)?.values() ?? [])], frames),
  ];
  const ended = journal.ended.get(id);
  if (ended && !isDeepStrictEqual(task, ended)) problems.push(`it was answered as ${JSON.stringify(ended)}`);
  return { task, frames, problems: problems.map((problem) => `${id} ${JSON.stringify(task.status)}: ${problem}`) };
}

async function readBack(peer: RpcPeer, task: Wire): Promise<RpcFrame[]> {
  const stream = await peer.open('SubscribeToTask', { id: task.id }, { 'last-event-id': '0' });
  if (isEnded(task.status.state)) return stream.rest();
  // The stream of a task that waits stays open; its present status is its last frame.
  const frames = await stream.until(({ result }) => isDeepStrictEqual(result.statusUpdate?.status, task.status));
  await stream.close();
  return frames;
}

const userTexts = ({ history }: Wire): string[] =>
  history.filter(({ role }: Wire) => role === 'ROLE_USER').map(({ parts }: Wire) => textOfParts(parts));

function faultsOfLog(task: Wire, frames: readonly RpcFrame[]): string[] {
  const faults: string[] = [];
  const ids = frames.map(({ id }) => id ?? 0);
  if (ids.some((id, index) => id <= (ids[index - 1] ?? 1))) faults.push(`positions ${ids.join()}`);
  // `created` and the messages of callers have a number but no frame.
  const silent = 1 + userTexts(task).length;
  const last = ids.at(-1) ?? 0;
  // A message that nobody read may stand behind the last frame.
  if (last > frames.length + silent || last < frames.length + 2) {
    faults.push(`${frames.length} frames and ${silent} silent events make no log that ends at ${last}`);
  }
  if (!isDeepStrictEqual(frames.at(-1)?.result.statusUpdate?.status, task.status))
    faults.push('its last frame differs');
  return faults;
}

function faultsOfText(task: Wire, frames: readonly RpcFrame[]): string[] {
  const text = textOfTask(task);
  if (textOfStream(frames) !== text) return ['its text is not that of its frames'];
  const scripts = userTexts(task).map(textOfScript);
  if (!scripts.join('').startsWith(text) || !(text === '' || text.endsWith(' '))) return [`its text is ${text}`];
  if (task.status.state !== 'TASK_STATE_COMPLETED') return [];
  // Messages that came after the last turn began may be unread.
  const whole = scripts.map((_, index) => scripts.slice(0, index + 1).join(''));
  return whole.includes(text) ? [] : [`it is completed with ${text}`];
}

function faultsOfState(task: Wire, { cancelled, storeMayFail }: Journal): string[] {
  const { state, message } = task.status;
  const verbs = userTexts(task).map((text) => parseScript(text).verb);
  const [verb] = verbs;
  if (RUNNING.includes(state)) return ['nobody runs it'];
  if (state === 'TASK_STATE_CANCELED') return cancelled.has(task.id) ? [] : ['nobody canceled it'];
  if (state === 'TASK_STATE_COMPLETED') return verb === 'hang' ? ['it cannot have finished'] : [];
  if (state === WAITING) return verb === 'ask' || verb === 'require' ? [] : ['it never asks'];
  const reason = message?.metadata?.reason;
  if (state !== 'TASK_STATE_FAILED') return ['this is no state of these tasks'];
  if (reason === 'run-lost') return verb === 'ask' ? [] : ['it had no question open'];
  if (reason === 'store-failed' && storeMayFail) return [];
  return reason === 'server-restarted' ? [] : ['this is no reason'];
}

/** Each status that was ever shown is one of the log; the first has no frame. */
function faultsOfStatuses(statuses: readonly Wire[], frames: readonly RpcFrame[]): string[] {
  return statuses
    .filter(({ state }) => state !== 'TASK_STATE_SUBMITTED')
    .filter((status) => !frames.some(({ result }) => isDeepStrictEqual(result.statusUpdate?.status, status)))
    .map((status) => `no frame has the status ${JSON.stringify(status)}, which was shown`);
}

/** Whether a client saw what is there: the same frames, none left out, none twice. */
export function faultsOfReading({ taskId, after, frames }: Reading, { frames: whole, task }: Found): string[] {
  const [first] = frames;
  if (!first) return [];
  const snapshot = first.result.task;
  if (snapshot && after !== undefined) return [`${taskId}: resumed after ${after}, it began with the task`];
  const from = snapshot ? (first.id ?? 0) : (after ?? 0);
  const seen = snapshot ? frames.slice(1) : frames;
  const to = seen.at(-1)?.id ?? from;
  const there = whole.filter(({ id = 0 }) => id > from && id <= to);
  const faults: string[] = [];
  const plain = (list: readonly RpcFrame[]) => list.map(({ id, result }) => ({ id, result }));
  if (!isDeepStrictEqual(plain(seen), plain(there))) {
    faults.push(
      `${taskId}: read from ${from} was ${JSON.stringify(plain(seen))}, there is ${JSON.stringify(plain(there))}`,
    );
  }
  if (!snapshot) return faults;
  const before = whole.filter(({ id = 0 }) => id <= from);
  if (textOfTask(snapshot) !== textOfStream(before)) faults.push(`${taskId}: the snapshot at ${from} has other text`);
  const status = before.findLast(({ result }) => result.statusUpdate)?.result.statusUpdate.status;
  if (status && !isDeepStrictEqual(status, snapshot.status)) faults.push(`${taskId}: other status at ${from}`);
  const said = new Set(task.history.map(({ messageId }: Wire) => messageId));
  for (const { messageId } of snapshot.history) {
    if (!said.has(messageId)) faults.push(`${taskId}: the message ${messageId} is gone`);
  }
  return faults;
}
