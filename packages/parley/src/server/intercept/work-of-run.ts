import type { RunHandle } from '../../engine/turn/runner.ts';
import type { TraceContext } from '../../model/call.ts';
import type { TracedWork } from './subjects.ts';

/** Something that a run does, as interceptors see it: part of the run's trace, unless they name another. */
export class WorkOfRun implements TracedWork {
  readonly agent: string;
  protected readonly handle: RunHandle;
  #trace: TraceContext | undefined;

  constructor(agent: string, handle: RunHandle) {
    this.agent = agent;
    this.handle = handle;
  }

  get taskId(): string {
    return this.handle.taskId;
  }

  get contextId(): string {
    return this.handle.contextId;
  }

  get trace(): TraceContext | undefined {
    return this.#trace ?? this.handle.trace;
  }

  continueTrace(trace: TraceContext): void {
    this.#trace = trace;
  }
}
