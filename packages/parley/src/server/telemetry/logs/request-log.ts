import { readTraceparent } from '../../../model/basics/trace-context.ts';
import type { TraceContext } from '../../../model/call.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import { isTask } from '../../../model/task.ts';
import type { ServerInterceptor } from '../../intercept/interceptors.ts';
import { METHOD_NAMES } from '../names.ts';
import { taskIdOf } from '../task-id-of.ts';
import type { StructuredLog } from './structured-log.ts';

type Logged = Required<Pick<ServerInterceptor, 'operation' | 'run'>>;

/**
 * A line for each operation and each run, at the level `info`: who asked for what, under which id, and what came of it. Nothing
 * that messages say is in it.
 */
export function requestLog(log: StructuredLog, newId: () => string): Logged {
  const isWanted = () => log.isLevelEnabled('info');
  return {
    async operation(call, next, input) {
      if (!isWanted()) return next();
      const { operation, agent, dialect, binding, caller } = call;
      const since = performance.now();
      const facts = {
        requestId: call.requestId ?? newId(),
        ...callerFacts(caller),
        ...(call.clientAddress !== undefined && { address: call.clientAddress }),
        agent,
        operation: METHOD_NAMES[operation],
        dialect,
        binding,
        ...traceFacts(call.trace),
      };
      const asked = taskIdOf(input);
      const write = (outcome: string, taskId = asked) =>
        log.info({ ...facts, ...(taskId !== undefined && { taskId }), outcome, ms: elapsed(since) }, 'request');
      try {
        const outcome = await next();
        if (outcome.kind === 'stream') {
          call.onEnd(({ isComplete }) => write(isComplete ? 'complete' : 'left', outcome.taskId ?? asked));
        } else {
          const result = outcome.kind === 'result' ? outcome.result : undefined;
          write('ok', result && 'status' in result && isTask(result) ? result.id : asked);
        }
        return outcome;
      } catch (error) {
        write(A2AError.from(error).code.toLowerCase());
        throw error;
      }
    },
    async run(turn, next) {
      if (!isWanted()) return next();
      const { agent, taskId, contextId, caller, attempt } = turn;
      const since = performance.now();
      const facts = { ...callerFacts(caller), agent, taskId, contextId, attempt, ...traceFacts(turn.trace) };
      let state: string = 'failed';
      try {
        const outcome = await next();
        state = outcome.state;
        return outcome;
      } finally {
        log.info({ ...facts, state, ms: elapsed(since) }, 'run');
      }
    },
  };
}

function callerFacts({ subject, tenant }: { readonly subject: string; readonly tenant: string }) {
  return { caller: subject || 'anonymous', ...(tenant !== '' && { tenant }) };
}

function traceFacts(trace: TraceContext | undefined) {
  return trace && { traceId: readTraceparent(trace.traceparent)?.traceId ?? trace.id };
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
