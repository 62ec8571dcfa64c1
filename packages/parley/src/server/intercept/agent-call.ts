import type { EventSource } from '../../client/stream/task-stream.ts';
import type { RunHandle } from '../../engine/turn/runner.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { Interceptors } from './interceptors.ts';
import type { AgentCallOutcome, InterceptedAgentCall } from './subjects.ts';
import { WorkOfRun } from './work-of-run.ts';

/** A call of another agent, as interceptors see it and as they are told of its end. */
export class WatchedAgentCall extends WorkOfRun implements InterceptedAgentCall {
  readonly target: InterceptedAgentCall['target'];
  readonly #over = Promise.withResolvers<AgentCallOutcome>();
  #outcome: AgentCallOutcome = {};

  constructor(agent: string, handle: RunHandle, target: InterceptedAgentCall['target']) {
    super(agent, handle);
    this.target = target;
  }

  /** Opens the call with the interceptors around it, until it is over. What is thrown before `next` refuses the call. */
  open(around: NonNullable<Interceptors['call']>, open: () => Promise<EventSource>): Promise<EventSource> {
    const opened = Promise.withResolvers<EventSource>();
    const next = async () => {
      try {
        opened.resolve(await open());
      } catch (error) {
        opened.reject(error);
        throw error;
      }
      return this.#over.promise;
    };
    let isOpen = false;
    const failed = (error: unknown) => {
      opened.reject(error);
      if (isOpen) this.handle.warn('An interceptor failed after a call of another agent', { error });
    };
    around(this, next).then(() => opened.reject(NOT_CALLED), failed);
    return opened.promise.then((source) => {
      isOpen = true;
      return source;
    });
  }

  /** Notes what an event of the other agent says of its turn. */
  see(event: StreamEvent): void {
    if (event.kind === 'task') this.#outcome = { taskId: event.task.id, state: event.task.status.state };
    else if (event.kind === 'status') this.#outcome = { taskId: event.taskId, state: event.status.state };
    else if (event.kind === 'message') this.#outcome = { state: 'reply' };
  }

  /** The call is over, or its reader has left. */
  end(): void {
    this.#over.resolve(this.#outcome);
  }
}

const NOT_CALLED = new TypeError('An interceptor of calls must call next() and wait for it, or throw');
