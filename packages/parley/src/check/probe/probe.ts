import { resultOf, sentResult, streamOf } from '../expectations.ts';
import type { Binding, Version } from '../table/rule-info.ts';
import { fail, inapplicable, skip } from '../verdict.ts';
import type { Answer, Caller, CallOptions, Credentials } from '../wire/caller.ts';
import { listAt, memberOf } from '../wire/json.ts';
import type { Frame, LiveStream, StreamEnd } from '../wire/live-stream.ts';
import type { Operation } from '../wire/operations.ts';
import {
  configuration,
  type Form,
  type MessageFields,
  readPayload,
  readTask,
  type Seen,
  type SeenTask,
  type SendSettings,
  stateIn,
  TERMINAL,
  textMessage,
} from '../wire/shapes.ts';
import type { Explorer } from './explorer.ts';
import type { Prompt, Situation } from './prompts.ts';
import type { Server } from './server.ts';

interface SayOptions extends CallOptions {
  readonly message?: MessageFields | undefined;
  readonly settings?: SendSettings | undefined;
}

/** A stream that was read to its end. */
export interface Transcript {
  readonly stream: LiveStream;
  readonly events: readonly Seen[];
  readonly prompt: Prompt;
  /** The state of the stream when it should have ended. */
  readonly end: StreamEnd;
}

const POLL_MS = 40;
/** The time for a cancel that nobody watches; less where that was not enough. */
const DROP_MS = 1000;
const IMPATIENT_MS = 50;
/** A stream that is over is closed by then. */
const CLOSING_MS = 5000;

/** One interface of the server under check, with what rules ask of it. */
export class Probe {
  readonly server: Server;
  readonly caller: Caller;
  readonly version: Version;
  readonly binding: Binding;
  readonly form: Form;
  readonly #explorer: Explorer;
  readonly #everyProbe: () => readonly Probe[];
  readonly #made = new Set<string>();
  #dropMs = DROP_MS;
  readonly #memory = new Map<string, Promise<unknown>>();

  constructor(server: Server, caller: Caller, explorer: Explorer, everyProbe: () => readonly Probe[]) {
    this.#everyProbe = everyProbe;
    this.server = server;
    this.caller = caller;
    this.version = caller.target.version;
    this.binding = caller.target.binding;
    this.form = caller.form;
    this.#explorer = explorer;
  }

  get url(): string {
    return this.caller.target.url;
  }

  /** The other interfaces of the same server. */
  get siblings(): readonly Probe[] {
    return this.#everyProbe().filter((probe) => probe !== this);
  }

  /** A script for an agent that plays scripts; skips the rule with any other. */
  script(text: string): Prompt {
    if (!this.#explorer.playsScripts) skip('only an agent that plays scripts, such as the lab of the demo, shows it');
    return { text };
  }

  call(operation: Operation, options?: CallOptions): Promise<Answer> {
    return this.caller.call(operation, options);
  }

  open(operation: 'stream' | 'subscribe', options?: CallOptions): Promise<LiveStream | Answer> {
    return this.caller.open(operation, options);
  }

  /** The members of a send. */
  sendParams(
    { text, idPrefix = 'check' }: Prompt,
    { message, settings = {}, params }: SayOptions = {},
  ): Record<string, unknown> {
    const own = textMessage(this.form, `${idPrefix}-${crypto.randomUUID()}`, text, message);
    // Over gRPC a send of 0.3 waits only where it says so.
    const isSet = Object.keys(settings).length > 0 || (this.binding === 'grpc' && this.version === '0.3');
    return { message: own, ...(isSet && { configuration: configuration(this.form, settings) }), ...params };
  }

  /** Sends a message and waits for what comes of it. */
  async say(prompt: Prompt | string, options: SayOptions = {}): Promise<Answer> {
    const params = this.sendParams(typeof prompt === 'string' ? { text: prompt } : prompt, options);
    const answer = await this.caller.call('send', { ...options, params });
    const seen = readPayload(answer.result);
    const task = seen.kind === 'task' ? readTask(seen.value) : undefined;
    if (task !== undefined && !TERMINAL.has(task.state)) this.#made.add(task.id);
    return answer;
  }

  /** Sends a message and opens the stream of what comes of it. */
  async stream(prompt: Prompt | string, options: SayOptions = {}): Promise<LiveStream | Answer> {
    const params = this.sendParams(typeof prompt === 'string' ? { text: prompt } : prompt, options);
    return this.caller.open('stream', { ...options, params });
  }

  /** A message that brings a situation about; skips the rule where none is known. */
  promptFor(situation: Situation): Promise<Prompt> {
    return this.#explorer.promptFor(situation, this);
  }

  /** The task of a send that must have made one. */
  taskOf(answer: Answer): SeenTask {
    const seen = readPayload(sentResult(answer));
    if (seen.kind === 'message') return skip('the agent answered with a message and made no task');
    const task = seen.kind === 'task' ? readTask(seen.value) : undefined;
    return task ?? fail('the result is neither a task nor a message', answer.exchange);
  }

  /** The task of GetTask, CancelTask and the like. */
  bareTaskOf(answer: Answer): SeenTask {
    return readTask(resultOf(answer)) ?? fail('the result is no task', answer.exchange);
  }

  async get(taskId: string, params?: CallOptions['params']): Promise<SeenTask> {
    return this.bareTaskOf(await this.call('get', { taskId, params }));
  }

  /** A new task that is over. An agent that replies without one may make one for a client that does not wait. */
  async newTask(options: SayOptions = {}): Promise<SeenTask> {
    const prompt = await this.promptFor('task');
    const answer = await this.say(prompt, options);
    if (readPayload(sentResult(answer)).kind === 'task') return this.taskOf(answer);
    const settings = { ...options.settings, atOnce: true };
    const { id } = this.taskOf(await this.say(prompt, { ...options, settings }));
    return this.until(id, ({ state }) => TERMINAL.has(state), 'over');
  }

  /** A task that is over; the same one for all rules. */
  finished(): Promise<SeenTask> {
    return this.once('finished', async () => {
      const task = await this.newTask();
      return TERMINAL.has(task.state) ? task : skip(`the task ended as ${task.state}`);
    });
  }

  /** A new task in a situation that it stays in. */
  async fresh(situation: 'asking' | 'authorizing' | 'failing' | 'rejecting', options?: SayOptions): Promise<SeenTask> {
    const prompt = await this.promptFor(situation);
    const task = this.taskOf(await this.say(prompt, options));
    const wanted = { asking: 'input-required', authorizing: 'auth-required', failing: 'failed', rejecting: 'rejected' }[
      situation
    ];
    return task.state === wanted ? task : skip(`the task came out as ${task.state} and not as ${wanted}`);
  }

  /** A new task that is being worked on. */
  async running(options: SayOptions = {}): Promise<SeenTask> {
    const prompt = await this.promptFor('running');
    const settings = { ...options.settings, atOnce: true };
    const task = this.taskOf(await this.say(prompt, { ...options, settings }));
    if (TERMINAL.has(task.state)) return skip('the task was over before it could be seen at work');
    return task;
  }

  /** The events of a whole stream of a task with artifacts; the same for all rules. */
  transcript(): Promise<Transcript> {
    return this.once('transcript', async () => {
      return this.transcriptOf(await this.promptFor('chunks'));
    });
  }

  /** Reads a stream until it ends, or until it should have. */
  async transcriptOf(prompt: Prompt, options?: SayOptions): Promise<Transcript> {
    this.needStreaming();
    const stream = streamOf(await this.stream(prompt, options));
    const last = await stream.find((frame) => this.#isLast(frame));
    if (last === undefined && stream.end === 'open') {
      stream.close();
      skip('the stream did not end in time');
    }
    await this.closes(stream);
    const { end } = stream;
    stream.close();
    return { stream, events: this.eventsOf(stream), prompt, end };
  }

  /** Waits for the end of a stream that is over; tells whether the server closed it. */
  closes(stream: LiveStream): Promise<boolean> {
    return stream.ended(Math.min(CLOSING_MS, this.server.budget.answerMs));
  }

  #isLast(frame: Frame): boolean {
    const event = this.eventOf(frame);
    const state = stateIn(event) ?? '';
    return event.kind === 'message' || TERMINAL.has(state) || state === 'input-required';
  }

  eventOf(frame: Frame): Seen {
    return readPayload(this.payloadOf(frame));
  }

  /** The event without the envelope of its binding. */
  payloadOf({ json }: Frame): unknown {
    return this.binding === 'jsonrpc' ? memberOf(json, 'result') : json;
  }

  eventsOf(stream: LiveStream): readonly Seen[] {
    return stream.frames.map((frame) => this.eventOf(frame));
  }

  /** The first frame of a stream that shows one of these states. */
  shows(...states: readonly string[]): (frame: Frame) => boolean {
    return (frame) => states.includes(stateIn(this.eventOf(frame)) ?? '');
  }

  /** Asks for a task until it fits. */
  async until(taskId: string, fits: (task: SeenTask) => boolean, what: string): Promise<SeenTask> {
    const end = performance.now() + this.server.budget.answerMs;
    for (;;) {
      const task = await this.get(taskId);
      if (fits(task)) return task;
      if (performance.now() > end) return skip(`the task did not become ${what} in time`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The credentials of a second caller; skips the rule where none were given. */
  secondCaller(): Credentials {
    const { otherCredentials, card } = this.server;
    if (otherCredentials !== undefined) return otherCredentials;
    const isOpen = (listAt(card, 'securityRequirements') ?? listAt(card, 'security') ?? []).length === 0;
    if (isOpen) inapplicable('the card requires no credentials: all callers are one');
    return skip('it takes a second caller; --other-token TOKEN gives one');
  }

  needStreaming(): void {
    if (!this.server.capabilities.streaming) inapplicable('the card declares no streaming');
  }

  /** Does something for all rules of this interface, once. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#memory.get(name) as Promise<Value> | undefined;
    if (known) return known;
    const made = make();
    this.#memory.set(name, made);
    return made;
  }

  /** Cancels a task that is no longer needed, without regard to what comes of it. */
  async drop(taskId: string): Promise<void> {
    this.#made.delete(taskId);
    const { exchange } = await this.call('cancel', { taskId, odd: true, waitMs: this.#dropMs });
    if (exchange.late) this.#dropMs = IMPATIENT_MS;
  }

  /** Cancels what is still at work, and closes what is open. */
  async tidyUp(): Promise<void> {
    for (const stream of this.caller.streams) stream.close();
    for (const taskId of this.#made) await this.drop(taskId).catch(() => undefined);
  }
}
