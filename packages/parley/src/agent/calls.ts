import type { A2AClient } from '../client/client.ts';
import type { Content } from '../client/content.ts';
import type { ClientOptions, SendOptions } from '../client/options.ts';
import type { TaskStream } from '../client/task-stream.ts';
import type { RunHandle } from '../engine/turn/runner.ts';
import type { AgentCard } from '../model/card.ts';
import type { StreamEvent } from '../model/task.ts';
import type { Agent } from './agent.ts';
import type { MessageContent } from './outcomes.ts';

/** Another agent: one of the same server, its address, its card, or a client of it. */
export type CallTarget = Agent | string | URL | AgentCard | A2AClient;

export interface AgentCallOptions extends Omit<SendOptions, 'referenceTaskIds' | 'idempotencyKey' | 'messageId'> {
  /**
   * What of the child shows in this task's own stream, as status messages: `true` for what the child says of its state,
   * or a function that makes a message of an event. Default: nothing.
   */
  readonly forward?: boolean | ((event: StreamEvent) => MessageContent | undefined) | undefined;
  /** Turns of a model that the child and those behind it may take together. */
  readonly maxTurns?: number | undefined;
  /** For a target that is an address or a card: headers, credentials and the like. */
  readonly client?: ClientOptions | undefined;
}

/** How a run reaches other agents; the server brings it. */
export interface AgentCalls {
  call(handle: RunHandle, target: CallTarget, message: Content, options: AgentCallOptions): TaskStream;
}
