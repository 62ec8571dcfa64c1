import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { insideOf, type RunInside } from '../../agent/run/inside.ts';
import type { TaskContext } from '../../agent/task-context.ts';
import { conversationMessages } from '../history/conversation-messages.ts';
import type { ForTask } from '../options.ts';
import type { LlmSettings } from '../settings.ts';
import { resolveTools } from '../tools/tool-set.ts';
import { Answer } from './answer.ts';
import type { DataOutput } from './data-output.ts';
import { type CallRecord, summedUsage } from './records.ts';

/** One turn of a language-model agent: what its calls need, each thing made when it is first needed. */
export class LlmRun {
  readonly settings: LlmSettings;
  readonly task: TaskContext;
  readonly inside: RunInside;
  readonly answer: Answer;
  /** The schema of the result; undefined where the result is text. */
  readonly output: DataOutput | undefined;
  /** The model calls that the run may make. */
  readonly maxTurns: number;
  /** The model calls so far. */
  readonly records: CallRecord[] = [];
  /** The messages of this turn after the caller's own: responses, results of tools, what came in between. */
  readonly messages: ModelMessage[] = [];
  /** The model was told that its result does not fit the schema. */
  isCorrected = false;
  #spent = 0;
  #tools: Promise<ToolSet> | undefined;
  #conversation: Promise<readonly ModelMessage[]> | undefined;

  constructor(settings: LlmSettings, task: TaskContext) {
    this.settings = settings;
    this.task = task;
    this.inside = insideOf(task);
    this.output = settings.outputOf(task.skill);
    this.answer = new Answer(this.inside, this.output !== undefined);
    this.maxTurns = Math.min(settings.maxTurns, task.maxTurns ?? settings.maxTurns);
  }

  /** The model calls that are left. */
  get turnsLeft(): number {
    return Math.max(0, this.maxTurns - this.records.length - this.#spent);
  }

  /** Agents that were called have used model turns of this run. */
  spend(turns: number): void {
    this.#spent += turns;
  }

  get tools(): Promise<ToolSet> {
    this.#tools ??= made(this.settings.tools, this.task).then(resolveTools);
    return this.#tools;
  }

  get model(): Promise<LanguageModel> {
    return made(this.settings.model, this.task);
  }

  get instructions(): Promise<string | undefined> {
    return made(this.settings.instructions, this.task);
  }

  /** The earlier turns and the message of this one. */
  get conversation(): Promise<readonly ModelMessage[]> {
    this.#conversation ??= conversationMessages(this.task, this.settings.limits);
    return this.#conversation;
  }

  /** Adds a model call, done now or before a restart. */
  add(record: CallRecord): void {
    this.records.push(record);
    this.messages.push(...record.messages);
    this.answer.next(record);
    // A task that is canceled or rejected, or whose time is over, has cost what it has cost.
    this.inside.handle.atEnd({ usage: summedUsage(this.records) });
  }
}

async function made<Value>(given: ForTask<Value>, task: TaskContext): Promise<Value> {
  return typeof given === 'function' ? (given as (task: TaskContext) => Value | Promise<Value>)(task) : given;
}
