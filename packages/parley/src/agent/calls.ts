import type { A2AClient } from '../client/client.ts';
import type { Content } from '../client/message/content.ts';
import type { ClientOptions, SendOptions } from '../client/options.ts';
import type { TaskStream } from '../client/stream/task-stream.ts';
import type { RunHandle } from '../engine/turn/runner.ts';
import type { JsonValue } from '../model/basics/json.ts';
import type { AgentCard } from '../model/card.ts';
import type { SkillCall, WithOutput } from '../model/extensions/skills.ts';
import type { Message, StreamEvent, Task } from '../model/task.ts';
import type { Agent } from './agent.ts';
import type { MessageContent } from './outcomes.ts';

/** Another agent: one of the same server, its address, its card, or a client of it. */
export type CallTarget = Agent | string | URL | AgentCard | A2AClient;

export interface AgentCallOptions extends Omit<SendOptions, 'referenceTaskIds' | 'idempotencyKey' | 'messageId'> {
  /**
   * Repeats the child's events in this task's stream as status messages. `true` repeats its status messages; a function
   * turns an event into a message. Default: repeats nothing.
   */
  readonly forward?: boolean | ((event: StreamEvent) => MessageContent | undefined) | undefined;
  /** Milliseconds that the child has; never more than this run has left. */
  readonly timeout?: number | undefined;
  /** The model turns that the child and the agents it calls may use together. */
  readonly maxTurns?: number | undefined;
  /** Headers, credentials and the like, for a target that is an address or a card. */
  readonly client?: ClientOptions | undefined;
}

/**
 * A call of another agent, on its way. Awaiting it returns the child's task in the state in which its turn ended, or the
 * message of an agent that only replies; a child that failed or asks is told by that state. It is a `TaskStream` as well.
 * `dataOf` reads the data of what it returns, typed where the call names a skill that has a schema.
 */
export interface AgentCall<Output = JsonValue> extends TaskStream, PromiseLike<(Task | Message) & WithOutput<Output>> {
  readonly task: Promise<Task & WithOutput<Output>>;
  readonly result: Promise<(Task | Message) & WithOutput<Output>>;
}

/** Reaches other agents for a run; the server provides it. */
export interface AgentCalls {
  call(
    handle: RunHandle,
    target: CallTarget,
    message: Content | SkillCall,
    options: AgentCallOptions,
  ): AgentCall<never>;
  /**
   * The run is over: resolves when its calls have been sent. Those that nobody watched are left to themselves, and their
   * failures are logged. Undefined where the run made no such call.
   */
  settle(handle: RunHandle): Promise<void> | undefined;
}
