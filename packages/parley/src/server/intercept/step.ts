import type { PerformStep } from '../../agent/run/run-context.ts';
import { withTrace } from '../../bindings/http/current-trace.ts';
import type { RunHandle } from '../../engine/turn/runner.ts';
import type { TraceContext } from '../../model/call.ts';
import type { Interceptors } from './interceptors.ts';
import type { InterceptedStep } from './subjects.ts';

/** Steps of one agent with the server's interceptors around them. */
export function interceptedSteps(agent: string, interceptors: Interceptors): PerformStep {
  return (handle, name, perform) => {
    const around = interceptors.step;
    return around ? intercepted(around, new HandledStep(agent, handle, name), perform) : perform();
  };
}

async function intercepted<Result>(
  around: NonNullable<Interceptors['step']>,
  step: HandledStep,
  perform: () => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined;
  await around(step, async () => {
    const { trace } = step;
    done = { result: await (trace ? withTrace(trace, perform) : perform()) };
  });
  if (!done) throw new TypeError('An interceptor of steps must call next(), or throw');
  return done.result;
}

/** A step as interceptors see it. */
class HandledStep implements InterceptedStep {
  readonly agent: string;
  readonly name: string;
  readonly #handle: RunHandle;
  #trace: TraceContext | undefined;

  constructor(agent: string, handle: RunHandle, name: string) {
    this.agent = agent;
    this.name = name;
    this.#handle = handle;
  }

  get taskId(): string {
    return this.#handle.taskId;
  }

  get contextId(): string {
    return this.#handle.contextId;
  }

  get trace(): TraceContext | undefined {
    return this.#trace ?? this.#handle.trace;
  }

  continueTrace(trace: TraceContext): void {
    this.#trace = trace;
  }
}
