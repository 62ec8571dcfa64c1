import { describe, expect, it } from 'vitest';
import { CREDENTIALS, everyKind, tokenWith } from '../auth/serving/credentials.ts';
import { startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';

const skill = (id: string, scopes?: readonly string[]) => ({ id, name: id, description: id, tags: ['x'], scopes });
const agent = agentOf((task) => `${task.user.subject} used ${task.skill}`, {
  skills: [skill('chat'), skill('admin-tools', ['admin:use'])],
});
const start = async () => startServer(agent, { auth: await everyKind(), mounts: SPEAKERS_MOUNTS });

/** A message as the documents of 0.3's time write it, for a skill. */
const messageFor = (skillId: string) => ({
  message: {
    kind: 'message',
    messageId: crypto.randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text: 'hello' }],
    metadata: { skillId },
  },
});

async function call(path: string, params: object, headers: Readonly<Record<string, string>>): Promise<[number, Wire]> {
  const { peer } = await start();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
  const all = { 'content-type': 'application/json', ...headers };
  const response = await peer.raw(path, { method: 'POST', headers: all, body });
  return [response.status, await response.json()];
}

describe('the documents on who may call', () => {
  it('declare tokens and keys on the card (S0.13)', async () => {
    const { peer } = await start();
    const card: Wire = await (
      await peer.raw('/.well-known/agent-card.json', { headers: { 'a2a-version': '0.3' } })
    ).json();
    expect(card.securitySchemes).toMatchObject({ oauth: { type: 'oauth2' }, apiKey: { type: 'apiKey' } });
    expect(card.security).toContainEqual({ apiKey: [] });
  });

  it("forbid a skill by the identity's scopes, in the words of the document at its mount (S0.13)", async () => {
    const [status, refused] = await call('/api/a2a', messageFor('admin-tools'), await tokenWith('chat:use'));
    expect([status, refused]).toEqual([
      403,
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32603,
          message: "Forbidden: Insufficient permissions for skill 'admin-tools'",
          data: expect.objectContaining({ scope: 'admin:use' }),
        },
      },
    ]);
    for (const [skillId, headers] of [
      ['chat', await tokenWith('')],
      ['admin-tools', await tokenWith('admin:use')],
      ['admin-tools', CREDENTIALS.apiKey ?? {}],
    ] as const) {
      const [, answer] = await call('/api/a2a', messageFor(skillId), headers);
      expect(JSON.stringify(answer.result)).toContain(`ada used ${skillId}`);
    }
  });

  it('have numbers for callers who are not known and who may not (S1.6)', async () => {
    const [status, unknown] = await call('/jaf', messageFor('chat'), {});
    expect([status, unknown.error]).toEqual([
      401,
      expect.objectContaining({ code: -32004, data: expect.objectContaining({ errorType: 'AuthenticationRequired' }) }),
    ]);
    const [denied, forbidden] = await call('/jaf', messageFor('admin-tools'), await tokenWith(''));
    expect([denied, forbidden.error]).toEqual([
      403,
      expect.objectContaining({ code: -32005, data: expect.objectContaining({ errorType: 'PermissionDenied' }) }),
    ]);
  });

  it.each(['oauth', 'apiKey', 'basic'])('take each kind of credential: %s (S1.9)', async (name) => {
    for (const path of ['/jaf', '/api/a2a', '/a2a']) {
      const [status, answer] = await call(path, messageFor('chat'), CREDENTIALS[name] ?? {});
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(answer.result)).toContain('ada used chat');
    }
  });
});
