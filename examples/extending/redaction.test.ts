import { A2AClient, A2AServer, defineAgent, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { redaction, turnCounter } from './redaction.ts';

const cashier = defineAgent({
  name: 'cashier',
  description: 'Repeats what it was told',
  version: '1.0.0',
  async *run(task) {
    yield 'You said: ';
    yield task.text;
  },
});

it('hides numbers of cards from every reader, and counts turns', async () => {
  const turns = turnCounter();
  const server = new A2AServer({ agents: [cashier] }).use(redaction).use(turns);
  onTestFinished(() => server.close());
  const client = new A2AClient('http://cashier.example', {
    fetch: (input, init) => server.fetch(new Request(input, init)),
  });
  const stream = client.sendMessageStream('4111 1111 1111 1111, please');
  let streamed = '';
  for await (const piece of stream.textStream) streamed += piece;
  expect(streamed).toBe('You said: [number], please');
  expect(textOf(await client.getTask(await stream.id))).toBe(streamed);
  expect([...turns.counts]).toEqual([['cashier completed', 1]]);
});
