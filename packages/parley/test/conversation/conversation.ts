import { isTask, type Message, type Task } from 'parley-a2a';
import { type Frame, type Frames, failureOf, type Peer, type Sending } from './peer.ts';

/** What was seen, step by step. */
export interface Transcript {
  readonly seen: Readonly<Record<string, unknown>>;
  /** The tasks that came out of it. */
  readonly taskIds: readonly string[];
}

/** Holds the conversation of every test through one client, and notes all that it sees. */
export class Conversation {
  readonly #peer: Peer;
  readonly #seen: Record<string, unknown> = {};
  readonly #taskIds = new Set<string>();
  #messages = 0;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  async hold(): Promise<Transcript> {
    await this.#greet();
    await this.#report();
    await this.#askAndAnswer();
    await this.#askInTurns();
    await this.#messagesToWork();
    await this.#cancel();
    await this.#resume();
    await this.#repeat();
    return { seen: this.#seen, taskIds: [...this.#taskIds] };
  }

  #sending(text: string, more: Partial<Sending> = {}): Sending {
    this.#messages += 1;
    return { messageId: `m-${this.#messages}`, text, atOnce: false, ...more };
  }

  #note<Value>(step: string, value: Value): Value {
    this.#seen[step] = value;
    return value;
  }

  async #send(text: string, more: Partial<Sending> = {}): Promise<Task> {
    const answer: Task | Message = await this.#peer.send(this.#sending(text, more));
    if (!isTask(answer)) throw new Error(`A task was expected, not ${JSON.stringify(answer)}`);
    this.#taskIds.add(answer.id);
    return answer;
  }

  async #stream(text: string, more: Partial<Sending> = {}): Promise<Frame[]> {
    const frames = await (await this.#peer.stream(this.#sending(text, more))).rest();
    for (const { event } of frames) if (event.kind === 'task') this.#taskIds.add(event.task.id);
    return frames;
  }

  async #greet(): Promise<void> {
    this.#note('a bare reply', await this.#peer.send(this.#sending('greet', { contextId: 'c-greet' })));
    this.#note('a bare reply as a stream', await this.#stream('greet'));
  }

  async #report(): Promise<void> {
    const { id } = this.#note('a task', await this.#send('report', { contextId: 'c-report' }));
    this.#note('a task, got', await this.#peer.get(id));
    this.#note('a task as a stream', await this.#stream('report', { contextId: 'c-report', historyLength: 0 }));
    this.#note('a refused task', await this.#send('refuse', { metadata: { urgent: true } }));
  }

  async #askAndAnswer(): Promise<void> {
    const { id } = this.#note('a question', await this.#send('ask'));
    const watching = await this.#peer.subscribe(id);
    this.#note('a question, subscribed', await watching.next());
    this.#note('its answer', await this.#send('Q4', { taskId: id }));
    this.#note('its answer, seen by the subscriber', await watching.rest());
    for (const historyLength of [undefined, 0, 1, 2, 100]) {
      this.#note(`history of ${historyLength}`, await this.#peer.get(id, historyLength));
    }
    const asked = this.#note('a question as a stream', await this.#stream('ask'));
    const [first] = asked;
    const taskId = first?.event.kind === 'task' ? first.event.task.id : '';
    this.#note('its answer as a stream', await this.#stream('Q3', { taskId, historyLength: 1 }));
  }

  async #askInTurns(): Promise<void> {
    const { id, contextId } = this.#note('a turn that asks', await this.#send('book'));
    this.#note('the next turn', await this.#send('Lisbon', { taskId: id, contextId }));
    this.#note('a new task of that context', await this.#send('book', { contextId, referenceTaskIds: [id] }));
  }

  async #messagesToWork(): Promise<void> {
    const { id } = await this.#send('collect', { atOnce: true });
    const watching = await this.#peer.subscribe(id, 0);
    const frames = await watching.until(isChunk);
    for (const text of ['one', 'two']) {
      const { status, history } = await this.#send(text, { taskId: id, atOnce: true });
      this.#note(`a message to a working task: ${text}`, { state: status.state, history });
      frames.push(...(await watching.until(isChunk)));
    }
    this.#note('the message that ends it', await this.#send('stop', { taskId: id }));
    this.#note('messages to a working task, watched', [...frames, ...(await watching.rest())]);
  }

  async #cancel(): Promise<void> {
    const { id } = await this.#send('work', { atOnce: true });
    const watching = await this.#peer.subscribe(id, 0);
    const frames = await watching.until(({ event }) => event.kind === 'status' && event.status.message !== undefined);
    this.#note('a canceled task', await this.#peer.cancel(id));
    this.#note('a canceled task, watched', [...frames, ...(await watching.rest())]);
    this.#note('canceled again', await failureOf(this.#peer.cancel(id)));
  }

  async #resume(): Promise<void> {
    const { id } = await this.#send('ask');
    const snapshot = await this.#peer.subscribe(id);
    const now = (await snapshot.next())?.id ?? 0;
    await snapshot.close();
    const live: Frames[] = [];
    for (let position = 0; position <= now; position += 1) live.push(await this.#peer.subscribe(id, position));
    await this.#send('Q2', { taskId: id });
    this.#note('resumed while it waits', await Promise.all(live.map((stream) => stream.rest())));
    const whole = await (await this.#peer.subscribe(id, 0)).rest();
    const last = whole.at(-1)?.id ?? 0;
    for (let position = 0; position < last; position += 1) {
      this.#note(`resumed after the end at ${position}`, await (await this.#peer.subscribe(id, position)).rest());
    }
    this.#note('resumed at the end', await failureOf(this.#peer.subscribe(id, last)));
    this.#note('resumed ahead of the log', await (await this.#peer.subscribe(id, last + 100)).rest());
  }

  async #repeat(): Promise<void> {
    const sending = this.#sending('report', { key: 'k-1', contextId: 'c-repeat' });
    const first = await this.#peer.send(sending);
    if (isTask(first)) this.#taskIds.add(first.id);
    this.#note('a send with a key', first);
    this.#note('the same again', await this.#peer.send(sending));
    this.#note('the same again as a stream', await (await this.#peer.stream(sending)).rest());
    const other = this.#sending('greet', { key: 'k-1' });
    this.#note('another send with that key', await failureOf(this.#peer.send(other)));
  }
}

const isChunk = ({ event }: Frame): boolean => event.kind === 'artifact';
