import { describe, expect, it } from 'vitest';
import { SPEAKERS } from '../support/speakers.ts';
import { impersonal, observe } from './support/compared.ts';
import { type RawRequest, sendRaw } from './support/raw-request.ts';
import { Recorder, type Target } from './support/recorded.ts';
import { UUID, withoutIds } from './support/shown.ts';
import { proofOf, STORES, startVictim } from './support/victim.ts';

const NO_TASK: Target = { taskId: 'none', contextId: 'none' };

describe.each(STORES)('an idempotency key of another caller, %s', (_, newStore) => {
  it.each(SPEAKERS)('is a new one in $name', async (speaker) => {
    const victim = await startVictim({}, newStore);
    const [ann, bob] = [await proofOf('ann', 'token'), await proofOf('bob', 'API key')];
    const ask = await new Recorder(victim.url, speaker, ann).record((client) => client.sendMessage('finish'));
    const withKey = (key: string, credentials = bob): RawRequest => {
      const request = ask(NO_TASK, credentials);
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    };
    const first = await sendRaw(victim.url, withKey('key-of-ann', ann));
    const [idOfAnn = ''] = first.body.match(UUID) ?? [];
    expect(idOfAnn).not.toBe('');
    expect((await sendRaw(victim.url, withKey('key-of-ann', ann))).headers['idempotent-replayed']).toBe('true');
    const foreign = await observe(victim, withKey('key-of-ann'));
    expect(foreign.answer.body).not.toContain(idOfAnn);
    expect(foreign.answer.headers).not.toHaveProperty('idempotent-replayed');
    expect(withoutIds(foreign)).toEqual(withoutIds(await observe(victim, withKey('key-of-none'))));
  });
});

describe.each(STORES)('a page token of another caller, %s', (_, newStore) => {
  const LISTING = SPEAKERS.filter(({ name }) => ['1.0 JSON-RPC', '1.0 HTTP+JSON', 'v1_draft'].includes(name));

  it.each(LISTING)('is in $name like one that never was', async (speaker) => {
    const victim = await startVictim({}, newStore);
    const [ann, bob] = [await proofOf('ann', 'token'), await proofOf('bob', 'API key')];
    let token = '';
    const ask = await new Recorder(victim.url, speaker, ann).record(async (client) => {
      for (let count = 0; count < 3; count += 1) await client.sendMessage('finish');
      token = (await client.listTasks({ pageSize: 1 })).nextPageToken ?? '';
      await client.listTasks({ pageSize: 1, pageToken: token });
    });
    expect(token).not.toBe('');
    expect((await sendRaw(victim.url, ask(NO_TASK, ann))).body).toMatch(UUID);
    const made = `${token.slice(0, -6)}${token.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`;
    const exchanged = (text: string) => text.replaceAll(encodeURIComponent(token), made).replaceAll(token, made);
    const request = ask(NO_TASK, bob);
    const forged = { ...request, path: exchanged(request.path), body: request.body && exchanged(request.body) };
    expect(forged).not.toEqual(request);
    const foreign = await observe(victim, request);
    expect(foreign.answer.body).not.toMatch(UUID);
    expect(impersonal(foreign)).toEqual(impersonal(await observe(victim, forged)));
  });
});
