import { A2AServer, type A2AServerOptions, type Agent, type ServerInterceptor } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { RpcPeer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

export function served(
  interceptors: readonly ServerInterceptor[],
  agent: Agent = agentOf(() => 'done'),
  options: Partial<A2AServerOptions> = {},
) {
  const errors: unknown[] = [];
  const log = {
    error: (_text: string, details: Readonly<Record<string, unknown>> = {}) => void errors.push(details.error),
    warn: () => undefined,
  };
  const server = new A2AServer({ agents: [agent], interceptors, log, ...options });
  onTestFinished(() => server.close());
  return { server, errors, peer: new RpcPeer((request) => server.fetch(request)) };
}

/** Writes down what it sees of everything. */
export function noting(seen: string[], name = ''): ServerInterceptor {
  return {
    async operation({ operation }, next) {
      seen.push(`${name}${operation}`);
      const outcome = await next();
      seen.push(`${name}${operation}: ${outcome.kind}`);
      return outcome;
    },
    async run({ agent, attempt }, next) {
      seen.push(`${name}run ${attempt} of ${agent}`);
      const end = await next();
      seen.push(`${name}run: ${end.state}`);
      return end;
    },
  };
}
