import type { Agent } from '../../agent/agent.ts';
import type { BindingOptions } from '../../bindings/options.ts';
import type { Clock } from '../../engine/ports.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { InternalErrors } from '../operator/internal-errors.ts';
import type { A2AServerOptions } from '../options.ts';
import type { Security } from './security.ts';

interface BindingParts {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly limits: ServerLimits;
  readonly failures: InternalErrors;
  readonly clock: Clock;
  readonly security: Security;
}

/** The settings of every binding, from those of the server. */
export function bindingOptions(
  options: A2AServerOptions,
  { agents, limits, failures, clock, security }: BindingParts,
): Omit<BindingOptions, 'dialects'> {
  return {
    lenient: options.inferVersion ?? true,
    batch: options.jsonRpcBatches ?? false,
    errorTable: options.errorTable ?? '1.0.1',
    fileEncoding: options.fileEncoding,
    depth: limits.depth,
    agents: [...agents.keys()],
    keepAlive: limits.keepAlive,
    streamTimeout: limits.streamTimeout,
    now: () => clock.now(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    onInternalError: (error, request) =>
      failures.report(error, security.guard?.subjectOf(request), request && requestIdOf(request)),
  };
}
