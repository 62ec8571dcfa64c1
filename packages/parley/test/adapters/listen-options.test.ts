import { A2AServer, defineAgent } from 'parley-a2a';
import type { ListenOptions } from 'parley-a2a/types';
import { expect, it, onTestFinished } from 'vitest';

const hello = defineAgent({ name: 'hello', description: 'Says hello', version: '1.0.0', run: () => 'Hello' });
const A_PORT = 'a whole number from 0 to 65535';

it.each([4001, '4001', null])('refuses listen(%j), which other frameworks take, and does not open', async (given) => {
  const server = new A2AServer({ agents: [hello] });
  await expect(server.listen(given as never)).rejects.toThrow(
    `listen takes options, such as { port: 4000 }, and not ${JSON.stringify(given)}`,
  );
  expect(server.url).toBeUndefined();
});

it.each([
  // Node would open a socket of this name.
  [{ port: '4100x' }, `listen: port must be ${A_PORT}, not "4100x"`],
  [{ port: '' }, `listen: port must be ${A_PORT}, not ""`],
  [{ port: null }, `listen: port must be ${A_PORT}, not null`],
  [{ port: Number.NaN }, `listen: port must be ${A_PORT}, not NaN`],
  [{ port: 65_536 }, `listen: port must be ${A_PORT}, not 65536`],
  [{ port: '65536' }, `listen: port must be ${A_PORT}, not "65536"`],
  [{ port: 1.5 }, `listen: port must be ${A_PORT}, not 1.5`],
  [{ prot: 0 }, 'listen: there is no option prot; did you mean port?'],
  [{ hostname: '127.0.0.1', port: 0 }, 'listen: there is no option hostname; there are port, host, tls'],
  [{ host: 5, port: 0 }, 'listen: host must be a string, not 5'],
  [{ tls: true, port: 0 }, 'listen: tls must be an object, not true'],
  [{ tls: { certificate: 'x' }, port: 0 }, 'There is no option tls.certificate; there are cert, key, ca'],
  [{ tls: { cert: 5, key: 'x' }, port: 0 }, 'tls.cert must be PEM, or the name of a file, not a number'],
])('refuses listen(%j), and does not open', async (given, problem) => {
  const server = new A2AServer({ agents: [hello] });
  await expect(server.listen(given as unknown as ListenOptions)).rejects.toThrow(new TypeError(problem));
  expect(server.url).toBeUndefined();
});

it('takes a port of digits, as a variable of the environment has it, and members without a value', async () => {
  const server = new A2AServer({ agents: [hello] });
  onTestFinished(() => server.close());
  await server.listen({ port: '0', host: undefined, hostname: undefined } as unknown as ListenOptions);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});
