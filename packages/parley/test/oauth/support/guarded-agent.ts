import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { jwt } from 'parley-a2a/auth';
import { onTestFinished } from 'vitest';
import { agentOf } from '../../support/script.ts';
import type { TestAuthorizationServer } from './authorization-server.ts';

/** An agent that says who calls it, for those alone whom the authorization server knows. */
export async function startGuardedAgent(
  issuer: TestAuthorizationServer,
  options: Omit<A2AServerOptions, 'agents' | 'auth'> = {},
): Promise<string> {
  const agent = agentOf((task) => `You are ${task.user?.subject}`);
  const server = new A2AServer({ agents: [agent], auth: jwt({ issuer: issuer.url, audience: 'agents' }), ...options });
  const { url = '' } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const base = url.replace(/\/+$/, '');
  for (const path of ['', '/a2a', '/a2a/agents/test']) issuer.audiences.set(`${base}${path}`, 'agents');
  return base;
}
