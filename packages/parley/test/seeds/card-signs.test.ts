import { A2AClient, A2AServer, textOf } from 'parley-a2a';
import type { DialectName } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { INFORMAL_DIALECTS } from '../../src/dialects/calling/informal-calling.ts';
import { encodeMergedCard } from '../../src/dialects/cards/merged-card.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const teller = agentOf(
  async function* (task) {
    yield 'You said ';
    yield task.text;
  },
  { name: 'teller' },
);

const dialectOfCard = (card: Wire) => INFORMAL_DIALECTS.find(({ isCard }) => isCard?.(card));

async function serverOf(dialect: DialectName): Promise<A2AServer> {
  const server = new A2AServer({ agents: [teller], mounts: [{ path: '/a2a', dialect }] });
  onTestFinished(() => server.close());
  return server.listen({ port: 0 });
}

describe('a client that is told nothing', () => {
  it.each(['jaf', 'v1_draft', 'cogitator'] as const)('speaks %s with an agent whose card is in it', async (dialect) => {
    const client = await A2AClient.connect((await serverOf(dialect)).url ?? '');
    expect(await client.run('hello')).toBe('You said hello');
    const pieces: string[] = [];
    for await (const piece of client.sendMessageStream('again').textStream) pieces.push(piece);
    expect(pieces.join('')).toBe('You said again');
    const task = await client.sendMessage('once more');
    expect(textOf(task)).toBe('You said once more');
  });

  it('may insist on an official version', async () => {
    const { url = '' } = await serverOf('jaf');
    const client = new A2AClient(url, { prefer: { version: '1.0' } });
    await expect(client.sendMessage('hello')).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
  });

  it('takes no official card for an informal one', async () => {
    const server = new A2AServer({ agents: [teller] });
    onTestFinished(() => server.close());
    for (const version of ['', '1.0', '0.3']) {
      const headers = version === '' ? {} : { 'a2a-version': version };
      const request = new Request('http://localhost/.well-known/agent-card.json', { headers });
      const card: Wire = await (await server.fetch(request)).json();
      expect(dialectOfCard(card), version).toBeUndefined();
    }
    const bare = encodeMergedCard({
      ...{ name: 'a', description: 'b', version: '0.3', defaultInputModes: [], defaultOutputModes: [], skills: [] },
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
      interfaces: [{ url: 'http://localhost/a2a', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    });
    expect(dialectOfCard(bare as unknown as Wire)).toBeUndefined();
  });
});
