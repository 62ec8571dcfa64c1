import { expect, it } from 'vitest';
import { blocksOf } from '../setup/support/documents.ts';
import { startProgram } from '../setup/support/programs.ts';

const [EXAMPLE = ''] = blocksOf('docs/guides/extending.md', 'ts').filter((block) =>
  block.includes(': ServerBinding ='),
);

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

/** Posts each body to the binding of the example, and prints the first line of each response. */
const ask = (bodies: readonly string[]) => `
for (const body of ${JSON.stringify(bodies)}) {
  const response = await server.fetch(new Request('http://localhost/a2a/lines', { method: 'POST', body }));
  console.log((await response.text()).split('\\n')[0]);
}
await server.close();
`;

it('the binding of the page about extending streams, and tells mistakes of clients from those of the server', async () => {
  const bodies = [
    JSON.stringify({ operation: 'sendStreamingMessage', params: { message } }),
    JSON.stringify({ operation: 'getTask', params: { id: 'none' } }),
    JSON.stringify({ operation: 'sendStreamingMessage', params: { message: 5 } }),
    JSON.stringify({ operation: 'toString' }),
    '{}',
    'null',
    'no JSON',
  ];
  const { stdout, stderr } = await startProgram(`${EXAMPLE}${ask(bodies)}`).ended;
  expect(stderr).toBe('');
  const [first, ...others] = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(first.event).toHaveProperty('task');
  expect(others.map(({ error }) => error.code)).toEqual([
    'UNSUPPORTED_OPERATION',
    'INVALID_PARAMS',
    'METHOD_NOT_FOUND',
    'METHOD_NOT_FOUND',
    'METHOD_NOT_FOUND',
    'PARSE_ERROR',
  ]);
});

it('the binding of the page about extending has the reason of what fails inside in the log', async () => {
  const failing = EXAMPLE.replace(
    'bindings: [lines]',
    "bindings: [lines], authorize: () => { throw new Error('away'); }",
  );
  const body = JSON.stringify({ operation: 'sendStreamingMessage', params: { message } });
  const { stdout, stderr } = await startProgram(`${failing}${ask([body])}`).ended;
  expect(JSON.parse(stdout).error.code).toBe('INTERNAL');
  expect(stdout).not.toContain('away');
  expect(stderr).toContain('away');
});
