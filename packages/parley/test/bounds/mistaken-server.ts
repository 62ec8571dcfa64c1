import { A2AServer } from 'parley-a2a';
import { logStrayErrors } from 'parley-a2a/node';
import { mistaken } from './mistaken-agent.ts';

/** A server in a process of its own; `all`: what the runtime cannot catch is logged. */
const log = {
  error: (message: string, { agent, taskId, error }: Readonly<Record<string, unknown>>) => {
    const said = error instanceof Error ? error.message : undefined;
    process.send?.({ message, agent, hasTask: typeof taskId === 'string', error: said });
    throw new Error('A log that fails');
  },
  warn: (message: string, details: Readonly<Record<string, unknown>>) => log.error(message, details),
};

const interceptors = process.argv[2] === 'all' ? [logStrayErrors(log)] : [];
const server = new A2AServer({ agents: [mistaken], log, interceptors });
await server.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url: server.url });
