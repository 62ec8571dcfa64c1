import { A2AClient, A2AServer, inputRequired, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { matrix } from '../../interop/support/rows.ts';
import { eventually } from '../../support/eventually.ts';
import { agentOf } from '../../support/script.ts';

const asking = agentOf(({ text }) => inputRequired(`more than ${text}?`));

matrix(({ version, binding }) => {
  it('ends with the answer where the first try of a send arrived and was answered, but was never heard of', async () => {
    const server = await new A2AServer({ agents: [asking] }).listen({ port: 0 });
    onTestFinished(() => server.close());
    let isCut = false;
    const plain = await A2AClient.connect(server.url ?? '');
    const agent = await A2AClient.connect(server.url ?? '', {
      prefer: { version, binding },
      reconnect: { firstDelay: 1, longestDelay: 5 },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!isCut) return response;
        isCut = false;
        // The turn ends before the client comes back.
        await eventually(async () => textOf((await plain.getTask(first.id)).status.message?.parts ?? [])).toContain(
          'two',
        );
        await response.body?.cancel();
        throw new TypeError('fetch failed');
      },
    });
    const first = await agent.sendMessageStream('one').task;
    isCut = true;
    const second = await agent.sendMessageStream('two', { taskId: first.id }).task;
    expect(isCut).toBe(false);
    expect([second.status.state, textOf(second.status.message?.parts ?? [])]).toEqual([
      'input-required',
      'more than two?',
    ]);
    expect(second).toEqual(await agent.getTask(first.id));
    // And so does the next one.
    const third = await agent.sendMessageStream('three', { taskId: first.id }).task;
    expect(textOf(third.status.message?.parts ?? [])).toBe('more than three?');
    expect(third.history.filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});
