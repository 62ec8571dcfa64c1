import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { A2AServer, type A2AServerOptions, type Agent } from 'parley-a2a';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logOf } from '../../src/cli/serve/logging.ts';
import { readSettings } from '../../src/cli/serve/settings/serve-settings.ts';
import type { Output } from '../../src/cli/surroundings.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

/** Somewhere to write to, and the lines that were written. */
function collecting(isTTY = false): { readonly output: Output; readonly lines: string[] } {
  const lines: string[] = [];
  const output: Output = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(
          ...chunk
            .toString()
            .split('\n')
            .filter((line) => line !== ''),
        );
        done();
      },
    }),
    { isTTY },
  );
  return { output, lines };
}

function served(level: string, agent: Agent, options: Partial<A2AServerOptions> = {}) {
  const { output, lines } = collecting();
  const server = new A2AServer({ agents: [agent], log: pino({ level, base: null }, output), ...options });
  onTestFinished(() => server.close());
  const entries = () => lines.map((line): Wire => JSON.parse(line));
  return { server, entries, peer: new RpcPeer((request) => server.fetch(request)) };
}

describe('log: pino()', () => {
  const trace = `00-${'4'.repeat(32)}-${'5'.repeat(16)}-01`;

  it('has a line for each request and each run, with request id, task and caller', async () => {
    const { peer, entries } = served(
      'info',
      agentOf(() => 'done'),
    );
    const { id, contextId } = await peer.send('the text', {}, undefined, { 'x-request-id': 'r-1', traceparent: trace });
    expect(entries()).toMatchObject([
      {
        level: 30,
        msg: 'run',
        caller: 'anonymous',
        agent: 'test',
        taskId: id,
        contextId,
        state: 'completed',
        attempt: 1,
      },
      {
        msg: 'request',
        requestId: 'r-1',
        caller: 'anonymous',
        agent: 'test',
        operation: 'SendMessage',
        dialect: 'v1_0',
        binding: 'JSONRPC',
        taskId: id,
        traceId: '4'.repeat(32),
        outcome: 'ok',
      },
    ]);
    expect(JSON.stringify(entries())).not.toContain('the text');
  });

  it('tells what was refused and what was left, streams when they are over', async () => {
    const { peer, entries } = served(
      'info',
      agentOf(() => 'done'),
    );
    await peer.error('GetTask', { id: 'nowhere' });
    await peer.stream('SendStreamingMessage', sendParams('go'));
    await eventually(() => entries().filter(({ msg }) => msg === 'request').length).toBe(2);
    const [refused, streamed] = entries().filter(({ msg }) => msg === 'request');
    expect(refused).toMatchObject({ taskId: 'nowhere', outcome: 'task_not_found' });
    expect(refused.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(streamed).toMatchObject({ operation: 'SendStreamingMessage', outcome: 'complete' });
    expect(streamed.taskId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is quiet but for what went wrong at another level; errors have their stack and the request id', async () => {
    const broken: A2AServerOptions['interceptors'] = [{ operation: () => Promise.reject(new RangeError('broken')) }];
    const { peer, entries } = served(
      'warn',
      agentOf(() => 'done'),
      { interceptors: broken },
    );
    const { data } = await peer.error('SendMessage', sendParams('go'), { 'x-request-id': 'r-2' });
    expect(entries()).toMatchObject([
      { level: 50, msg: 'A request failed', requestId: 'r-2', err: { type: 'RangeError', message: 'broken' } },
    ]);
    expect(entries()[0].err.stack).toContain('logs.test.ts');
    expect(JSON.stringify(data)).toContain(entries()[0].reference);
    const quiet = served(
      'warn',
      agentOf(() => 'done'),
    );
    await quiet.peer.send('go');
    expect(quiet.entries()).toEqual([]);
  });

  it.for([
    ['a word of another alphabet', 'anfrage-zwölf'],
    ['too long', 'x'.repeat(129)],
    ['spaces', 'a b'],
  ] as const)('takes no request id that could disguise a line: %s', async ([, requestId]) => {
    const { peer, entries } = served(
      'info',
      agentOf(() => 'done'),
    );
    await peer.send('go', {}, undefined, { 'x-request-id': requestId });
    expect(entries().find(({ msg }) => msg === 'request')?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

/** The settings of a command line with this level. */
function settingsOf(level?: string) {
  const options = level === undefined ? {} : { 'log-level': level };
  return readSettings({ positionals: ['agent.ts'], options } as never, { cwd: tmpdir(), env: {} });
}

describe('parley serve --log-level', () => {
  it('writes JSON, and in a terminal for people', async () => {
    const file = collecting();
    const json = await logOf(await settingsOf('info'), file.output);
    json?.warn('Beware', { taskId: 't-1' });
    expect(file.lines.map((line): Wire => JSON.parse(line))).toMatchObject([{ level: 40 }]);
    const terminal = collecting(true);
    const server = new A2AServer({
      agents: [agentOf(() => 'done')],
      log: await logOf(await settingsOf('info'), terminal.output),
    });
    onTestFinished(() => server.close());
    await new RpcPeer((request) => server.fetch(request)).send('go');
    await eventually(() => terminal.lines.join('\n')).toContain('request');
    expect(() => JSON.parse(terminal.lines[0] ?? '')).toThrow();
  });

  it('refuses another level', async () => {
    await expect(settingsOf('loud')).rejects.toThrow(/log-level/);
  });

  it('is the console where nothing is said', async () => {
    expect(await logOf(await settingsOf(), collecting().output)).toBeUndefined();
  });
});
