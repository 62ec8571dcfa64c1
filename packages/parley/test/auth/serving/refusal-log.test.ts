import { type Authenticator, apiKeys, hashKey, wrongCredential } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { REFUSALS_A_MINUTE } from '../../../src/server/auth/guard/refusal-log.ts';
import { listening } from '../../support/http/sockets.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';

const agent = agentOf(() => 'x');
const KEY = 'a-key-of-ada-that-is-long-enough';
const auth = async () => apiKeys({ keys: [{ id: 'a', hash: await hashKey(KEY), subject: 'ada' }] });

describe('the log', () => {
  it('tells of a credential that was refused: scheme, peer and reason, never the credential', async () => {
    const { server, logged } = startServer(agent, { auth: await auth() });
    const peer = await listening(server);
    expect((await peer.request('ListTasks', {}, { 'x-api-key': 'guessed-by-mallory' })).status).toBe(401);
    expect(logged).toEqual([
      {
        message: 'A credential was refused',
        details: { scheme: 'apiKey', peer: '127.0.0.1', reason: 'there is no such key' },
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('guessed');
  });

  it('is silent where a credential is right or missing: clients ask without one first', async () => {
    const { peer, logged } = startServer(agent, { auth: await auth() });
    await peer.request('ListTasks', {}, { 'x-api-key': KEY });
    expect((await peer.request('ListTasks', {})).status).toBe(401);
    expect(logged).toEqual([]);
  });

  it('is not filled by whoever guesses: so many a minute, and the number of the others', async () => {
    const minutes: (() => void)[] = [];
    const usual = settableClock();
    const clock = {
      ...usual,
      after: (milliseconds: number, callback: () => void) => {
        if (milliseconds !== 60_000) return usual.after(milliseconds, callback);
        minutes.push(callback);
        return () => {};
      },
    };
    const { peer, logged } = startServer(agent, { auth: await auth(), clock });
    const guess = () => peer.request('ListTasks', {}, { 'x-api-key': 'guessed' });
    for (let count = 0; count < REFUSALS_A_MINUTE + 30; count += 1) await guess();
    expect(logged).toHaveLength(REFUSALS_A_MINUTE);
    for (const end of minutes.splice(0)) end();
    expect(logged.splice(0).at(-1)).toEqual({
      message: 'More credentials were refused in the last minute',
      details: { count: 30 },
    });
    await guess();
    expect(logged.splice(0)).toMatchObject([{ message: 'A credential was refused' }]);
    for (const end of minutes.splice(0)) end();
    expect(logged).toEqual([]);
  });

  it('has no more of a reason than fits on a line', async () => {
    const verbose: Authenticator = {
      name: 'own',
      scheme: { type: 'http', scheme: 'Bearer' },
      authenticate: () => {
        throw wrongCredential('own', 'x'.repeat(5000));
      },
    };
    const { peer, logged } = startServer(agent, { auth: verbose });
    await peer.request('ListTasks', {}, { authorization: 'Bearer y' });
    expect(logged[0]?.details.reason).toHaveLength(200);
  });
});
