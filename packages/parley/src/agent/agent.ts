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
  /** The name in the agent's address: letters and digits, joined by `-`, `_` or `.`. */
  readonly name: string;
  /** The name on the card. Default: the name in the address. */
  readonly title?: string | undefined;
  /** A sentence for people and models that says what the agent does. It is on the card. */
  readonly description: string;
  /** The agent's own version. */
  readonly version: string;
  /**
   * Skills on the card. With `input` and `output`, Parley checks and types the data of a skill and describes it on the
   * card (see docs/guides/skills.md). Default: one skill that repeats the agent's name and description.
   */
  readonly skills?: readonly (SkillDefinition & { readonly id: SkillId })[] | undefined;
  /** Media types that messages may have; patterns such as `text/*` work. Default: text and JSON. */
  readonly inputModes?: readonly string[] | undefined;
  /** Media types of the results. Default: text and JSON. */
  readonly outputModes?: readonly string[] | undefined;
  /** The organization that offers the agent. It is on the card. */
  readonly provider?: AgentProvider | undefined;
  /** The address of a page about the agent. It is on the card. */
  readonly documentationUrl?: string | undefined;
  /** The address of a picture for the agent. It is on the card. */
  readonly iconUrl?: string | undefined;
  /** Further members of the card, for rules that a gateway in front of the agent enforces. */
  readonly card?: Pick<AgentCard, 'securitySchemes' | 'security' | 'rateLimit'> | undefined;
  /** Extensions that this agent knows, with their hooks (see docs/guides/extending.md). */
  readonly extensions?: readonly ExtensionDefinition[] | undefined;
  /**
   * Starts a run again that was lost in a crash. It skips finished steps (`task.step`, `task.ask`) and the output
   * before the last of them. The run must do the same things in the same order. Default: false, and a lost run fails
   * its task.
   */
  readonly resumable?: boolean | undefined;
  /**
   * Refuses messages to a working task with this sentence (`UNSUPPORTED_OPERATION`); they leave no trace. Default: a
   * message waits for `task.messages()`, or for the end of the turn.
   */
  readonly refuseWhileWorking?: string | undefined;
  /** `false` refuses the two streaming operations. Default: true. */
  readonly streaming?: boolean | undefined;
  /**
   * The extended card for authenticated callers, as differences from the public card: the same for all, or a function
   * of the caller. Return undefined for a caller who sees only the public card. `true` declares an extended card
   * without configuring one. Default: none.
   */
  readonly extendedCard?: ExtendedCard | ((caller: Caller) => Awaitable<ExtendedCard | undefined>) | true | undefined;
  /**
   * Does the work of one turn: a generator, an async function or a plain function. It yields and returns the output.
   */
  run(task: TaskContext<SkillId>): RunResult;
  /**
   * Called when a client cancels a task that waits for its caller, because no run is there to hear it
   * (`task.onCancel`). The task ends with the message that it returns.
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
