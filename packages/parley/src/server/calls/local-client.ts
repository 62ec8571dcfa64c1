import type { Agent } from '../../agent/agent.ts';
import { A2AClient } from '../../client/every-dialect-client.ts';
import type { Owner } from '../../engine/ports.ts';
import { agentCaller, type Caller } from '../../model/call.ts';
import { cardOf } from '../cards/card.ts';

/** Stands for this process where an address is wanted; nothing is ever sent there. */
const HERE = 'http://parley.internal';

/** Responds to a web request of a caller that needs no proof. */
export type LocalResponder = (request: Request, caller: Caller) => Promise<Response>;

/** A client of one of the server's agents that goes through no socket and speaks for the owner of a task. */
export function localClient(agent: Agent, path: string, owner: Owner, respond: LocalResponder): A2AClient {
  const card = cardOf(agent, { url: `${HERE}${path}`, tenants: [] });
  const interfaces = card.interfaces.map((entry) => (owner.tenant === '' ? entry : { ...entry, tenant: owner.tenant }));
  const caller = agentCaller(owner);
  const send: typeof fetch = (input, init) => respond(new Request(input, init), caller);
  return new A2AClient({ ...card, interfaces }, { fetch: send });
}
