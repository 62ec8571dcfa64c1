import type { RpcPeer, Wire } from '../../support/rpc.ts';
import { Calls, listAll } from '../load/calls.ts';
import type { Random } from '../load/random.ts';
import { parseScript } from '../server/script-agent.ts';
import { isEnded, type Journal, WAITING } from './journal.ts';
import { checkTask, type Found, faultsOfReading } from './task-check.ts';

const STATES = ['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/** Holds what clients saw against what a server finds after a crash. */
export class Checker {
  readonly #journal: Journal;
  /** Which task has a message, for all tasks that were ever looked at. */
  readonly #tasksOfMessages = new Map<string, string>();
  readonly #checked = new Set<string>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Looks at all that was touched since the last time, at some of the rest, or at everything. */
  async check(peer: RpcPeer, random: Random, everything = false): Promise<void> {
    const journal = this.#journal;
    const listed = await this.#checkList(peer);
    for (const id of journal.known.keys()) if (!listed.has(id)) journal.problems.push(`${id} is in no list`);
    const isDue = ([id, { status }]: [string, Wire]) =>
      everything ||
      journal.touched.has(id) ||
      !this.#checked.has(id) ||
      journal.known.get(id) !== status.state ||
      random.chance(5 / listed.size);
    const ids = [...listed].filter(isDue).map(([id]) => id);
    journal.touched.clear();
    const found = new Map<string, Found>();
    for (const id of ids) found.set(id, await this.#checkTask(peer, id, listed.get(id)));
    for (const reading of journal.readings) {
      const at = found.get(reading.taskId);
      if (at?.task) journal.problems.push(...faultsOfReading(reading, at));
    }
    this.#checkSent(found);
  }

  /** Gives answers that tasks wait for and repeats sends that were not answered: `most` of each. */
  async goOn(peer: RpcPeer, random: Random, most: number): Promise<void> {
    const journal = this.#journal;
    const calls = new Calls(peer, journal);
    for (const id of choose(random, journal.inState(WAITING), most)) await this.#answer(peer, calls, id);
    const open = [...journal.sent.values()].filter(({ key, answer }) => key !== undefined && answer === undefined);
    for (const sent of choose(random, open, most)) {
      await calls.deliver(sent);
      if (sent.answer === undefined) journal.problems.push(`No answer to ${JSON.stringify(sent)}`);
    }
  }

  /** Totals are what a full count gives. */
  async #checkList(peer: RpcPeer): Promise<Map<string, Wire>> {
    const { problems } = this.#journal;
    const { total, tasks } = await listAll(peer);
    const listed = new Map<string, Wire>(tasks.map((task) => [task.id, task]));
    if (listed.size !== tasks.length || total !== tasks.length) {
      problems.push(`A list of ${tasks.length} has ${listed.size} tasks and the total ${total}`);
    }
    for (const name of STATES) {
      const status = `TASK_STATE_${name}`;
      const { totalSize } = await peer.call('ListTasks', { status, pageSize: 1 });
      const count = tasks.filter((task) => task.status.state === status).length;
      if (totalSize !== count) problems.push(`${totalSize} tasks should be ${status}, ${count} are`);
    }
    return listed;
  }

  async #checkTask(peer: RpcPeer, id: string, listed: Wire): Promise<Found> {
    const found = await checkTask(peer, id, this.#journal);
    this.#journal.problems.push(...found.problems);
    if (!found.task) return found;
    this.#journal.known.set(id, found.task.status.state);
    if (isEnded(found.task.status.state)) this.#journal.ended.set(id, found.task);
    this.#checked.add(id);
    if (listed.status.state !== found.task.status.state)
      this.#journal.problems.push(`${id} is listed in another state`);
    const messages = found.task.history.filter(({ role }: Wire) => role === 'ROLE_USER');
    for (const { messageId } of messages) this.#checkMessage(messageId, id);
    if (new Set(messages.map(({ messageId }: Wire) => messageId)).size !== messages.length) {
      this.#journal.problems.push(`${id} has a message twice`);
    }
    return found;
  }

  #checkMessage(messageId: string, taskId: string): void {
    const before = this.#tasksOfMessages.get(messageId) ?? taskId;
    if (before !== taskId) this.#journal.problems.push(`${messageId} led to ${before} and to ${taskId}`);
    if (!this.#journal.sent.has(messageId)) this.#journal.problems.push(`Nobody sent ${messageId} to ${taskId}`);
    this.#tasksOfMessages.set(messageId, taskId);
  }

  /** Every send that was answered is where the answer said. */
  #checkSent(found: ReadonlyMap<string, Found>): void {
    for (const [messageId, { answer }] of this.#journal.sent) {
      if (!answer || !('taskId' in answer) || !found.has(answer.taskId)) continue;
      if (this.#tasksOfMessages.get(messageId) !== answer.taskId) {
        this.#journal.problems.push(`${messageId} was answered with ${answer.taskId}, which does not have it`);
      }
    }
  }

  /** A turn that ended with a question goes on; a run that waited for its answer is lost. */
  async #answer(peer: RpcPeer, calls: Calls, taskId: string): Promise<void> {
    await calls.send('SendMessage', 'count 5 2', { taskId });
    const { status, history } = await peer.call('GetTask', { id: taskId });
    const isLost = parseScript(history[0].parts[0].text).verb === 'ask';
    const fits = isLost
      ? status.state === 'TASK_STATE_FAILED' && status.message.metadata.reason === 'run-lost'
      : status.state === 'TASK_STATE_COMPLETED';
    if (!fits) this.#journal.problems.push(`${taskId} took its answer and is ${JSON.stringify(status)}`);
  }
}

function choose<T>(random: Random, list: readonly T[], most: number): T[] {
  return list.length <= most ? [...list] : list.filter(() => random.chance(most / list.length));
}
