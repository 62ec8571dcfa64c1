import type { Awaitable } from '../engine/ports.ts';
import type { ObservableLike } from '../model/basics/observable.ts';
import type { Caller } from '../model/call.ts';
import type { AgentCard, AgentProvider } from '../model/card.ts';
import type { SkillDefinition, SkilledAgent, SkillShape } from '../model/extensions/skills.ts';
import type { Task } from '../model/task.ts';
import type { ExtensionDefinition } from './extension.ts';
import type { MessageContent, Outcome } from './outcomes.ts';
import type { Output, TaskContext } from './task-context.ts';

type Result = Output | Outcome | undefined;

/** A sequence of outputs; what a generator returns, or an observable emits last, may also be an outcome. */
type Stream =
  | AsyncIterable<Output, Result | void, unknown>
  | Iterable<Output, Result | void, unknown>
  | ObservableLike<Output | Outcome>;

/** The values that `run` may return. */
export type RunResult = Stream | Promise<Stream | Result | void> | Result | void;

/** The members in which an extended card differs from the public one. */
export interface ExtendedCard {
  readonly description?: string | undefined;
  readonly skills?: readonly SkillDefinition[] | undefined;
  readonly documentationUrl?: string | undefined;
}

export interface AgentDefinition<SkillId extends string = string> {
  /** Letters and digits, joined by `-`, `_` or `.`: it is part of the agent's address. */
  readonly name: string;
  /** The name on the card. Default: the one in the address. */
  readonly title?: string | undefined;
  /** What the agent does, in a sentence for people and models. It is on the card. */
  readonly description: string;
  /** The agent's own version. */
  readonly version: string;
  /**
   * Default: one skill that repeats the agent's name and description. With `input` and `output`, the data that goes in
   * and comes out is checked, described on the card and typed (see docs/guides/skills.md).
   */
  readonly skills?: readonly (SkillDefinition & { readonly id: SkillId })[] | undefined;
  /** Media types that messages may have; patterns such as `text/*` are fine. Default: text and JSON. */
  readonly inputModes?: readonly string[] | undefined;
  /** Media types of the results. Default: text and JSON. */
  readonly outputModes?: readonly string[] | undefined;
  /** The organization that offers the agent. It is on the card. */
  readonly provider?: AgentProvider | undefined;
  /** The address of a page about the agent. It is on the card. */
  readonly documentationUrl?: string | undefined;
  /** The address of a picture for the agent. It is on the card. */
  readonly iconUrl?: string | undefined;
  /** Further members of its cards, for what a gateway before the agent enforces. */
  readonly card?: Pick<AgentCard, 'securitySchemes' | 'security' | 'rateLimit'> | undefined;
  /** Extensions that this agent knows, with their hooks (see docs/guides/extending.md). */
  readonly extensions?: readonly ExtensionDefinition[] | undefined;
  /**
   * A run that was lost in a crash begins again: finished steps (`task.step`, `task.ask`) are not done again, and what
   * was written before the last of them is not repeated. The run must do the same things in the same order. Default:
   * false, and a run that was lost fails its task.
   */
  readonly resumable?: boolean | undefined;
  /**
   * A message to a task that works is refused with this sentence (`UNSUPPORTED_OPERATION`) and leaves no trace. Default:
   * it waits for `task.messages()`, or for the turn to end.
   */
  readonly refuseWhileWorking?: string | undefined;
  /** `false` refuses the two streaming operations. Default: true. */
  readonly streaming?: boolean | undefined;
  /**
   * The extended card for authenticated callers: what differs from the public one, the same for all of them or made for each;
   * undefined for a caller who sees no more than the public one. `true` declares it without configuring one. Default: none.
   */
  readonly extendedCard?: ExtendedCard | ((caller: Caller) => Awaitable<ExtendedCard | undefined>) | true | undefined;
  /**
   * Does the work of one turn: a generator, an async function or a plain function. What it yields and returns is the
   * output.
   */
  run(task: TaskContext<SkillId>): RunResult;
  /**
   * Called when a task is canceled that waits for its caller, so that no run is there to be told (`task.onCancel`). What
   * it gives back is the message that the task ends with.
   */
  onCancel?(task: Pick<Task, 'id' | 'contextId'>): void | MessageContent | Promise<void | MessageContent | undefined>;
}

/** The types of skills that say nothing of them. */
type UntypedSkills<SkillId extends string> = { readonly [Id in SkillId]: SkillShape };

/** An agent that a server can host. `Shapes` are the types of its skills, for clients that know the agent's type. */
export interface Agent<SkillId extends string = string, Shapes extends object = UntypedSkills<SkillId>>
  extends AgentDefinition<SkillId>,
    SkilledAgent<Shapes> {
  readonly skills: readonly (SkillDefinition & { readonly id: SkillId })[];
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly extensions: readonly ExtensionDefinition[];
  readonly streaming: boolean;
}
