import type { PerformStep } from '../../agent/run/run-context.ts';
import { withTrace } from '../../bindings/http/current-trace.ts';
import type { RunHandle } from '../../engine/turn/runner.ts';
import type { Interceptors } from './interceptors.ts';
import type { InterceptedStep } from './subjects.ts';
import { WorkOfRun } from './work-of-run.ts';

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
  if (!done) throw new TypeError('An interceptor of steps must call next() and wait for it, or throw');
  return done.result;
}

/** A step as interceptors see it. */
class HandledStep extends WorkOfRun implements InterceptedStep {
  readonly name: string;

  constructor(agent: string, handle: RunHandle, name: string) {
    super(agent, handle);
    this.name = name;
  }
}
