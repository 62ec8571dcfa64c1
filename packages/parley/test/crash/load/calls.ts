import { type OpenStream, openStream, type RpcFrame, type RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import type { Journal, Reading, Sent } from '../check/journal.ts';

export interface SendOptions {
  readonly taskId?: string;
  readonly key?: string;
  readonly configuration?: Wire;
}

const TASK_NOT_FOUND = -32001;
const LEAST_A2A_ERROR = -32099;
/** What callers are told while the store cannot be written: that it is not their fault, and that they may ask again. */
const UNAVAILABLE = /^The task store cannot be written at the moment$|; ask again$/;

/** Calls of one server process; all that comes back goes to the journal. */
export class Calls {
  readonly peer: RpcPeer;
  readonly #journal: Journal;

  constructor(peer: RpcPeer, journal: Journal) {
    this.peer = peer;
    this.#journal = journal;
  }

  send(method: Sent['method'], text: string, options: SendOptions = {}): Promise<void> {
    return this.deliver(this.compose(method, text, options));
  }

  /** A message that is yet to be delivered. */
  compose(method: Sent['method'], text: string, options: SendOptions = {}): Sent {
    const { taskId, key, configuration } = options;
    const params = sendParams(text, taskId === undefined ? {} : { taskId }, configuration);
    const sent: Sent = { method, params, key };
    this.#journal.sent.set(params.message.messageId, sent);
    if (taskId !== undefined) this.#journal.touched.add(taskId);
    return sent;
  }

  /** Sends a message, for the first time or again. */
  async deliver(sent: Sent): Promise<void> {
    const { method, params, key } = sent;
    const response = await this.peer.request(method, params, key === undefined ? {} : { 'idempotency-key': key });
    const stream = streamOf(response);
    if (!stream) {
      const { result, error }: Wire = await response.json();
      // A message may come too late for its task.
      if (error)
        return this.#refused(`${method} ${JSON.stringify(params)}`, error, params.message.taskId !== undefined);
      this.#answered(sent, result);
      if (result.task) this.#journal.sawWhole(result.task);
      return;
    }
    const first = await stream.next();
    if (!first) throw new Error(`${method} ended without a frame`);
    if (first.response.error) return this.#refused(method, first.response.error, false);
    this.#answered(sent, first.result);
    if (first.result.task) await this.#follow(this.#journal.read(first.result.task.id, undefined), stream, first);
  }

  /** Subscribes with a snapshot first, or after a position. */
  async subscribe(id: string, after: number | undefined): Promise<void> {
    const position = after === undefined ? undefined : Math.max(0, after);
    const headers: Record<string, string> = position === undefined ? {} : { 'last-event-id': String(position) };
    const response = await this.peer.request('SubscribeToTask', { id }, headers);
    const stream = streamOf(response);
    if (stream) return this.#follow(this.#journal.read(id, position), stream);
    // A task that has ended, and nothing of it is left to read.
    const { error }: Wire = await response.json();
    this.#refused(`SubscribeToTask ${id}`, error, true);
  }

  async cancel(id: string): Promise<void> {
    this.#journal.cancelled.add(id);
    this.#journal.touched.add(id);
    const { result, error } = await this.peer.respond('CancelTask', { id });
    if (error) return this.#refused(`CancelTask ${id}`, error, true);
    if (result.status.state !== 'TASK_STATE_CANCELED') {
      this.#journal.problems.push(`CancelTask ${id} answered ${result.status.state}`);
    }
    this.#journal.sawWhole(result);
  }

  async get(id: string): Promise<void> {
    const { result, error } = await this.peer.respond('GetTask', { id });
    if (error) return this.#refused(`GetTask ${id}`, error, false);
    this.#journal.sawWhole(result);
  }

  /** Reads all pages while others write. */
  async list(): Promise<void> {
    const listed = await listAll(this.peer);
    for (const task of listed.tasks) this.#journal.saw(task);
    const ids = new Set(listed.tasks.map(({ id }) => id));
    if (ids.size !== listed.tasks.length) this.#journal.problems.push('A task was listed twice');
  }

  async #follow(reading: Reading, stream: OpenStream, first?: RpcFrame): Promise<void> {
    for (let frame = first ?? (await stream.next()); frame; frame = await stream.next()) {
      if (frame.response.error) {
        this.#journal.dropped.add(reading.taskId);
        return this.#refused(`The stream of ${reading.taskId}`, frame.response.error, false);
      }
      this.#journal.sawFrame(reading, frame);
    }
  }

  #answered(sent: Sent, { task, message }: Wire): void {
    const answer = task ? { taskId: task.id as string } : { reply: message };
    sent.answer ??= answer;
    if (JSON.stringify(sent.answer) !== JSON.stringify(answer)) {
      this.#journal.problems.push(`Two answers: ${JSON.stringify([sent, answer])}`);
    }
  }

  #refused(call: string, error: Wire, isLegal: boolean): void {
    this.#journal.observations += 1;
    if (this.#journal.storeMayFail && UNAVAILABLE.test(error?.message)) {
      this.#journal.unavailable += 1;
      return;
    }
    if (isLegal && error?.code < TASK_NOT_FOUND && error.code >= LEAST_A2A_ERROR) return;
    this.#journal.problems.push(`${call} was refused: ${JSON.stringify(error)}`);
  }
}

export function streamOf(response: Response): OpenStream | undefined {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return isStream && response.body ? openStream(response, response.body) : undefined;
}

/** All pages of a list, and the total that the first of them told. */
export async function listAll(peer: RpcPeer, filter: Wire = {}): Promise<{ total: number; tasks: Wire[] }> {
  const tasks: Wire[] = [];
  let total: number | undefined;
  for (let pageToken = ''; ; ) {
    const page = await peer.call('ListTasks', { ...filter, pageSize: 100, ...(pageToken === '' ? {} : { pageToken }) });
    total ??= page.totalSize as number;
    tasks.push(...page.tasks);
    pageToken = page.nextPageToken ?? '';
    if (pageToken === '') return { total, tasks };
  }
}
