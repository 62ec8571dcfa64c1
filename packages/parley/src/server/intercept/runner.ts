import { withTrace } from '../../bindings/http/current-trace.ts';
import type { RunHandle, Runner, TurnEnd } from '../../engine/turn/runner.ts';
import type { Caller, TraceContext } from '../../model/call.ts';
import type { Interceptors } from './interceptors.ts';
import type { InterceptedTurn } from './subjects.ts';

/** A run as interceptors see it. */
class HandledTurn implements InterceptedTurn {
  readonly agent: string;
  readonly #handle: RunHandle;

  constructor(agent: string, handle: RunHandle) {
    this.agent = agent;
    this.#handle = handle;
  }

  get taskId(): string {
    return this.#handle.taskId;
  }

  get contextId(): string {
    return this.#handle.contextId;
  }

  get caller(): Pick<Caller, 'subject' | 'tenant'> {
    return this.#handle.request.owner;
  }

  get attempt(): number {
    return this.#handle.attempt;
  }

  get dialect(): string | undefined {
    return this.#handle.request.dialect;
  }

  get trace(): TraceContext | undefined {
    return this.#handle.trace;
  }

  continueTrace(trace: TraceContext): void {
    this.#handle.trace = trace;
  }

  get signal(): AbortSignal {
    return this.#handle.signal;
  }
}

/** A runner with the server's interceptors around its runs. */
export function interceptedRunner(runner: Runner, interceptors: Interceptors): Runner {
  return {
    ...runner,
    run: (handle) => (interceptors.run ? around(interceptors.run, runner, handle) : traced(runner, handle)),
  };
}

async function around(run: NonNullable<Interceptors['run']>, runner: Runner, handle: RunHandle): Promise<TurnEnd> {
  let end: TurnEnd | undefined;
  await run(new HandledTurn(runner.name, handle), async () => {
    end = await traced(runner, handle);
    return end;
  });
  if (!end) throw new TypeError('An interceptor of runs must call next() and wait for it, or throw');
  return end;
}

/** Runs as part of the trace that the run has by now. */
function traced(runner: Runner, handle: RunHandle): Promise<TurnEnd> {
  const { trace } = handle;
  return trace ? withTrace(trace, () => runner.run(handle)) : runner.run(handle);
}
