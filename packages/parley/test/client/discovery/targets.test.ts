import { A2AClient } from 'parley-a2a';
import { A2AClient as PlainClient } from 'parley-a2a/client';
import { describe, expect, it } from 'vitest';

describe.each([
  ['parley-a2a', A2AClient],
  ['parley-a2a/client', PlainClient],
])('a client of %s', (_, Client) => {
  it.each([undefined, null, 5, 'localhost', ''])('says what a target is where it is handed %o', async (target) => {
    const problem = `Not an http(s) address or a card: ${String(target)}`;
    expect(() => new Client(target as never)).toThrow(problem);
    await expect(Client.connect(target as never)).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: problem });
  });

  it('takes an address as text and as URL, and a card, alone or as a list', () => {
    const card = { name: 'Bare', url: 'http://localhost/a2a' };
    expect(new Client('http://localhost').card).toBeUndefined();
    expect(new Client(new URL('http://localhost')).card).toBeUndefined();
    expect(new Client(card).card?.name).toBe('Bare');
    expect(new Client([card] as never).card?.name).toBe('Bare');
  });
});
