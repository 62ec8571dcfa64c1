import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { A2AServer, defineAgent } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFile } from '../support/temp-folder.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

const greeter = defineAgent({ name: 'greeter', description: 'Greets', version: '1.0.0', run: () => 'Hi!' });
const hostile = defineAgent({
  name: 'hostile',
  title: 'Bad\u001b[31m\nname',
  description: 'Rings \u0007 and clears \u001b[2J',
  version: '1.0.0',
  run: () => 'no',
});

async function served(options: Partial<ConstructorParameters<typeof A2AServer>[0]> = {}): Promise<string> {
  const server = await new A2AServer({ agents: [greeter, hostile], ...options }).listen({ port: 0 });
  onTestFinished(() => server.close());
  return server.url ?? '';
}

describe('parley keys card', () => {
  it('makes a key that signs cards, and its public half, which is trusted', async () => {
    const file = tempFile('card-key.json');
    const made = await cli(['keys', 'card', '--file', file, '--id', 'card-1']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const [shown] = objectsOf(made.stdout);
    expect(Object.keys(shown).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const trusted = tempFile('trusted.json');
    writeFileSync(trusted, made.stdout);
    const url = await served({ card: { sign: { key: JSON.parse(readFileSync(file, 'utf8')) } } });
    expect(await cli(['send', url, 'Hello', '--trust', trusted])).toMatchObject({ code: 0, stdout: 'Hi!\n' });
    const again = await cli(['keys', 'card', '--file', file]);
    expect([again.code, again.stderr]).toEqual([
      1,
      `parley: ${file} is there already, and a key is not written over.\n`,
    ]);
  });

  it.each([
    [['keys', 'card']],
    [['keys', 'card', 'x', '--file', 'f']],
    [['keys', 'card', '--db', 'f']],
  ])('%j is a mistake', async (args) => {
    expect(await cli(args)).toMatchObject({ code: 2 });
  });
});

describe('parley card', () => {
  const pair = generateKeyPairSync('ed25519');
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const trustedFile = () => {
    const file = tempFile('trusted.pem');
    writeFileSync(file, pair.publicKey.export({ type: 'spki', format: 'pem' }));
    return file;
  };

  it('tells whether a trusted key has signed the card', async () => {
    const url = await served({ card: { sign: { key, kid: 'card-1' } } });
    const unchecked = await cli(['card', url]);
    expect(unchecked.stdout).toContain('signature   there, by key "card-1", not checked: --jwks URL or --trust FILE');
    const byFile = await cli(['card', url, '--trust', trustedFile()]);
    expect(byFile).toMatchObject({ code: 0, stdout: expect.stringContaining('signature   holds, by key "card-1"') });
    const bySet = await cli(['card', url, '--jwks', `${url}/.well-known/jwks.json`, '--json']);
    expect(objectsOf(bySet.stdout)[0].signature).toEqual({ status: 'holds', keys: ['card-1'] });
  });

  it('shows a card that is not trusted all the same, and fails', async () => {
    const url = await served();
    const shown = await cli(['card', url, '--trust', trustedFile()]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain('greeter 1.0.0');
    expect(shown.stdout).toContain('signature   The agent card is not trusted: it is not signed');
    const sent = await cli(['send', url, 'Hello', '--trust', trustedFile()]);
    expect([sent.code, sent.stderr]).toEqual([1, 'parley: The agent card is not trusted: it is not signed.\n']);
    expect((await cli(['card', url])).stdout).not.toContain('signature');
  });

  it.each<[string, readonly string[], string]>([
    ['a file that is not there', ['--trust', '/nowhere/key.pem'], '--trust /nowhere/key.pem cannot be read (ENOENT)'],
    ['an address without TLS', ['--jwks', 'http://example.com/keys'], '--jwks must be https'],
  ])('takes %s for a mistake', async (_, args, message) => {
    for (const command of [
      ['card', 'localhost:1'],
      ['send', 'localhost:1', 'x'],
    ]) {
      const { code, stderr } = await cli([...command, ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('parley agents', () => {
  it('lists the agents of a host for programs and for people, without what a terminal obeys', async () => {
    const url = await served();
    const piped = await cli(['agents', url]);
    expect(piped.stdout.split('\n')[0]).toBe(
      `greeter\t1.0.0\t${url}/a2a/agents/greeter/.well-known/agent-card.json\tGreets`,
    );
    expect(piped.stdout).not.toMatch(/[^\n\t\P{Cc}]/u);
    const shown = await cli(['agents', url], { terminal: true, columns: 140 });
    expect(plain(shown.stdout)).toMatch(/^AGENT +VERSION +CARD +ABOUT\ngreeter +1\.0\.0 +http\S+ +Greets\n/);
    expect(plain(shown.stdout)).not.toMatch(/[^\n\t\P{Cc}]/u);
    const json = objectsOf((await cli(['agents', url, '--json'])).stdout);
    expect(json.map(({ displayName }) => displayName)).toEqual(['greeter', 'Bad\u001b[31m\nname']);
  });

  it('shows a token to the host alone, and says where it is not let in', async () => {
    const auth = { type: 'bearer', validate: (token: string) => token === 'right' } as const;
    const url = await served({ auth, card: { access: 'guarded' } });
    expect((await cli(['agents', url, '--token', 'right'])).stdout).toContain('greeter');
    expect(await cli(['agents', url, '--token', 'wrong'])).toMatchObject({ code: 4, stdout: '' });
    expect(await cli(['agents', 'localhost:1'])).toMatchObject({ code: 3 });
  });
});
