import { A2AServer, defineAgent } from 'parley-a2a';
import { expect, it } from 'vitest';

const hello = defineAgent({ name: 'hello', description: 'Says hello', version: '1.0.0', run: () => 'Hello' });

it.each([4001, '4001', null])('refuses listen(%j), which other frameworks take, and does not open', async (given) => {
  const server = new A2AServer({ agents: [hello] });
  await expect(server.listen(given as never)).rejects.toThrow(
    `listen takes options, such as { port: 4000 }, and not ${JSON.stringify(given)}`,
  );
  expect(server.url).toBeUndefined();
});
