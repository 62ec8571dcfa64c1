import { A2AClient } from 'parley-a2a';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentWith, cardOf, fetchOf } from '../support/recorded.ts';

const AGENT = 'https://agent.example';
const PAGE = 'https://app.example.com';
const HINT = `(browsers do not say why; another origin must allow ${PAGE} by CORS)`;

/** All that browsers say, whatever has happened. */
const failed = (): never => {
  throw new TypeError('Failed to fetch');
};

const messageOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);

describe('an agent that cannot be reached from a page', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('may not allow it by CORS: the error of its card says so', async () => {
    vi.stubGlobal('location', { origin: PAGE });
    const connecting = A2AClient.connect(AGENT, { fetch: fetchOf(failed).fetch, retry: false });
    await expect(connecting).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(await messageOf(connecting)).toBe(`No connection to agent.example: Failed to fetch ${HINT}`);
  });

  it('may not allow it by CORS: the error of a call says so', async () => {
    vi.stubGlobal('location', { origin: PAGE });
    const card = agentWith(cardOf());
    const { fetch } = fetchOf((request) => (request.method === 'POST' ? failed() : card(request)));
    const agent = await A2AClient.connect(AGENT, { fetch, retry: false });
    expect(await messageOf(agent.getTask('t'))).toBe(`No connection to agent.example: Failed to fetch ${HINT}`);
  });

  it('needs no such permission on the origin of the page', async () => {
    vi.stubGlobal('location', { origin: AGENT });
    const connecting = A2AClient.connect(AGENT, { fetch: fetchOf(failed).fetch, retry: false });
    expect(await messageOf(connecting)).toBe('No connection to agent.example: Failed to fetch');
  });

  it('has another reason where the runtime tells one', async () => {
    vi.stubGlobal('location', { origin: PAGE });
    const refused = (): never => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const connecting = A2AClient.connect(AGENT, { fetch: fetchOf(refused).fetch, retry: false });
    expect(await messageOf(connecting)).toBe('No connection to agent.example: connect ECONNREFUSED');
  });
});
