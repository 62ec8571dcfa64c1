import { A2AServer } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { startOfficial } from '../../packages/parley/test/client/support/official.ts';
import { textOfScript } from '../../packages/parley/test/crash/server/script-agent.ts';
import { runScript } from '../../packages/parley/test/setup/support/programs.ts';
import { agents } from '../agents/index.ts';

/** The demo's agents; a stream of theirs is ended after so many milliseconds, if that is not 0. */
async function startAgents(streamTimeout = 0): Promise<string> {
  const server = new A2AServer({ agents, limits: { streamTimeout }, log: { error() {}, warn() {} } });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  return server.url ?? '';
}

it('shows the card and streams an answer [seed:S3.9]', async () => {
  const { code, stdout, stderr } = await runScript('example:outside', await startAgents());
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const [card = '', answer = ''] = stdout.split('\n\n> Write the report for Q4\n\n');
  expect(card.split('\n')).toEqual([
    expect.stringMatching(/^reporter 1\.0\.0: Turns a year of sales data into/),
    expect.stringMatching(/^Can: streaming, push notifications, urn:parley:ext:resume:v1, /),
    expect.stringMatching(/^- Sales report: Streams a report/),
    'Called over JSONRPC 1.0',
  ]);
  expect(answer).toMatch(/^# Sales report for Q4 2025\n\nIn Q4 2025, /);
  expect(answer).toMatch(/\n\ncompleted\n- figures \(application\/json\)\n- figures-q4\.csv \(text\/csv\)\n$/);
});

it('sends what it is told to, and shows questions and messages', async () => {
  const url = await startAgents();
  const question = await runScript('example:outside', url, 'I need a report');
  expect(question.stdout).toMatch(/> I need a report\n\n\ninput-required: Which quarter: Q1, Q2, Q3 or Q4\?\n$/);
  const message = await runScript('example:outside', `${url}/a2a/agents/echo`, 'Is', 'anybody', 'there?');
  expect(message.stdout).toMatch(/\n\n> Is anybody there\?\n\nIs anybody there\?\n$/);
});

it('has the whole answer when the connection is lost again and again', async () => {
  const url = await startAgents(150);
  const { code, stdout, stderr } = await runScript('example:outside', `${url}/a2a/agents/lab`, 'chunk 40 10 20');
  expect(code).toBe(0);
  expect(stderr).toContain('(connection lost; attempt 1 in ');
  const numbers = Array.from({ length: 40 }, (_, index) => `${String(index + 1).padStart(2, '0')}`);
  expect(stdout.match(/\d+(?=:\.)/g)?.map((number) => number.slice(-2))).toEqual(numbers);
  expect(stdout).toMatch(/completed\n$/);
});

it('talks to an agent of the official SDK', async () => {
  const { url } = await startOfficial();
  const { code, stdout, stderr } = await runScript('example:outside', url, 'count 7 2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`\n\n> count 7 2\n\n${textOfScript('count 7 2')}\ncompleted`);
});

it('says in one line that nobody is there', async () => {
  const { code, stdout, stderr } = await runScript('example:outside', 'http://127.0.0.1:9');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^UNREACHABLE: .*\n$/);
});
