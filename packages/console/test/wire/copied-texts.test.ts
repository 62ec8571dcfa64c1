import { A2AClient, bytes, type Content, isTask, json, type SendOptions, textOf } from 'parley-a2a/client';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../../../parley/test/setup/support/programs.ts';
import { EVERY_DIALECT } from '../../src/wire/record/client-values.ts';
import type { WireExchange } from '../../src/wire/record/exchange.ts';
import { Recorder } from '../../src/wire/record/recorder.ts';
import { WireLog } from '../../src/wire/record/wire-log.ts';
import { copyAs, copyForms } from '../../src/wire/traffic/copy.ts';
import { echo, serve } from './echo-server.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { hasShell, runInShell } from './run-text.ts';

interface Talk {
  readonly protocol?: string;
  readonly binding?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Talks to the echo over a recorder. */
async function talk(url: string, settings: Talk = {}) {
  const { protocol, binding, headers } = settings;
  const recorder = new Recorder(new WireLog());
  const recorded = recorder.forClient({ url, protocol, binding });
  const client = new A2AClient(url, { ...EVERY_DIALECT, ...recorded, protocol, prefer: { binding }, headers });
  const last = (): WireExchange => recorder.log.exchanges().at(-1) as WireExchange;
  return {
    recorder,
    last,
    client,
    send: async (content: Content, options?: SendOptions) => {
      const result = await client.sendMessage(content, options);
      if (!isTask(result)) throw new Error('a message');
      return last();
    },
    stream: async (content: Content, options?: SendOptions) => {
      await client.sendMessageStream(content, options).result;
      return last();
    },
  };
}

const answerIn = (text: string) => JSON.parse(text).result.task.artifacts[0].parts[0].text;

describe.skipIf(!hasShell('curl'))('copied as curl (skipped without bash and curl)', () => {
  it('sends what was sent, whatever the shell would make of it', async () => {
    const { url } = await serve(echo);
    const { send } = await talk(url);
    for (const text of HOSTILE_TEXTS) {
      const { text: command, notes } = await copyAs('curl', await send([text, json({ [text]: [text] })]), []);
      expect(notes).toEqual([]);
      // Nothing in the text is an escape sequence for the terminal that it is pasted into.
      expect(command).not.toMatch(/[\p{Cc}--\n]|\p{Bidi_Control}/v);
      expect(JSON.parse(answerIn(await runInShell(command)))).toEqual([text, { [text]: [text] }]);
    }
  });

  it('shows frames of a stream, over HTTP+JSON too', async () => {
    const { url } = await serve(echo);
    const rest = await talk(url, { binding: 'HTTP+JSON' });
    const { text } = await copyAs('curl', await rest.stream("it's"), []);
    expect(text).toContain(' -N ');
    expect(await runInShell(text)).toContain('TASK_STATE_COMPLETED');
    await rest.client.listTasks({ pageSize: 2, includeArtifacts: true });
    const listed = await copyAs('curl', rest.last(), []);
    expect(listed.text).not.toContain('-X');
    expect(JSON.parse(await runInShell(listed.text)).tasks[0].artifacts).toHaveLength(1);
  });

  it('sends a body that is too large for an argument', async () => {
    const { url } = await serve(echo);
    const { send } = await talk(url);
    const large = "it's ".repeat(60_000);
    const { text } = await copyAs('curl', await send(large), []);
    expect(JSON.parse(answerIn(await runInShell(text)))).toEqual([large]);
  });

  it('takes secrets from the environment, and stops without them', async () => {
    const { url } = await serve(echo);
    const headers = { authorization: 'Bearer t0p-secret', 'x-api-key': "k'ey", 'x-empty': '' };
    const { send } = await talk(url, { headers });
    const exchange = await send('Hello');
    const { text } = await copyAs('curl', exchange, []);
    expect(text).not.toMatch(/t0p-secret|k'ey/);
    expect(text).toContain('Bearer '.concat(`'"\${TOKEN:?}"`));
    await expect(runInShell(text)).rejects.toThrow('TOKEN');
    const env = { TOKEN: 'a', X_API_KEY: 'b' };
    expect(answerIn(await runInShell(text, env))).toBe('["Hello"]');
    const shown = await copyAs('curl', exchange, [], { reveal: true });
    expect(shown.text).toContain('Bearer t0p-secret');
    expect(answerIn(await runInShell(shown.text))).toBe('["Hello"]');
  });
});

describe.skipIf(!hasShell('base64'))('copied as a command of parley (skipped without bash)', () => {
  it('sends the same text, data and files', async () => {
    const { url } = await serve(echo);
    const { stream, send } = await talk(url, { protocol: '0.3', binding: 'HTTP+JSON', headers: { 'x-trace': "a'b" } });
    const text = HOSTILE_TEXTS.join('\n');
    const files = [bytes(new TextEncoder().encode('one'), { filename: '../a b.txt', mediaType: 'text/plain' })];
    const first = await copyAs('cli', await stream([text, ...files, json({ "it's": -1 })]), []);
    expect(first.text).toContain('--protocol 0.3 \\\n  --binding rest');
    expect(JSON.parse(await runInShell(first.text))).toEqual([text, '2-a-b.txt: one', { "it's": -1 }]);
    const second = await copyAs('cli', await send('-'), []);
    expect(JSON.parse(await runInShell(second.text))).toEqual(['-']);
  });

  it('names what it leaves out', async () => {
    const { url } = await serve(echo);
    const { send } = await talk(url);
    const { notes } = await copyAs('cli', await send(['one', 'two'], { messageMetadata: { a: 1 } }), []);
    expect(notes).toEqual([
      'The texts of the message are sent as one.',
      'Metadata, references, extensions and webhooks of the message are left out.',
    ]);
  });
});

describe('copied as TypeScript', () => {
  it('runs and gets the same answer', async () => {
    const { url } = await serve(echo);
    const { send } = await talk(url, { headers: { authorization: 'Bearer t0p-secret' } });
    const content = [...HOSTILE_TEXTS, json(JSON.parse('{"__proto__":{"polluted":true}}'))];
    const exchange = await send(content, { contextId: "it's", metadata: { 'a-b': [null, true, 1.5] } });
    const { text } = await copyAs('typescript', exchange, []);
    expect(text).toContain("authorization: 'Bearer ' + (process.env.TOKEN ?? '')");
    expect(text).not.toMatch(/[\p{Cc}--\n]|\p{Bidi_Control}/v);
    const program = text
      .replace('console.log(await', 'process.stdout.write(JSON.stringify(await')
      .replace(/\);\n$/, '));\n');
    const { code, stdout, stderr } = await startProgram(program).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const task = JSON.parse(stdout);
    expect(task.contextId).toBe("it's");
    expect(textOf(task)).toBe(textOf(JSON.parse(exchange.body).result.task.artifacts[0].parts[0].text));
  });

  it('has a method for every operation', async () => {
    const { url } = await serve(echo);
    const { send, client, recorder } = await talk(url);
    const { id } = JSON.parse((await send('one')).body).result.task;
    const texts: string[] = [];
    const copy = async (operation: string) => {
      const exchange = recorder.log.exchanges().findLast(({ call }) => call?.operation === operation) as WireExchange;
      texts.push((await copyAs('typescript', exchange, [])).text.split('\n').slice(3).join('\n'));
    };
    await client.getTask(id, 3);
    await copy('getTask');
    await client.listTasks({ state: 'completed', pageSize: 1 });
    await copy('listTasks');
    await client.cancelTask(id).catch(() => undefined);
    await copy('cancelTask');
    await client.subscribe(id, { lastEventId: 1 }).result;
    await copy('subscribeToTask');
    expect(texts).toEqual([
      `console.log(await client.getTask('${id}', { historyLength: 3 }));\n`,
      "console.log(await client.listTasks({ state: 'completed', pageSize: 1, includeArtifacts: false }));\n",
      `console.log(await client.cancelTask('${id}'));\n`,
      `\nfor await (const event of client.subscribe('${id}', { lastEventId: '1' })) {\n  console.log(event);\n}\n`,
    ]);
  });
});

describe('headers of a copy', () => {
  it('are not those of a connection or of one body', async () => {
    const { url } = await serve(echo);
    const { send, recorder } = await talk(url);
    const exchange = await send('Hello');
    const sent = [
      ...exchange.request.headers,
      ['Host', 'x'],
      ['content-length', '9'],
      ['connection', 'close'],
    ] as const;
    recorder.log.correct(exchange.id, { ...exchange.request, headers: sent });
    const [corrected] = recorder.log.exchanges().slice(-1) as [WireExchange];
    for (const form of ['curl', 'typescript', 'cli'] as const) {
      expect((await copyAs(form, corrected, [])).text).not.toMatch(/host|content-length|connection/i);
    }
  });

  it('that a person set are secrets, however short', async () => {
    const { url } = await serve(echo);
    const { send } = await talk(url, { headers: { 'x-team': 'abc' } });
    const exchange = await send('abc');
    const secrets = { values: ['abc'] };
    expect((await copyAs('cli', exchange, [], secrets)).text).toContain(`--header 'x-team: '"\${X_TEAM:?}"`);
    expect((await copyAs('typescript', exchange, [], secrets)).text).toContain('process.env.X_TEAM');
    expect((await copyAs('cli', exchange, [], { ...secrets, reveal: true })).text).toContain("'x-team: abc'");
  });
});

describe('other requests', () => {
  it('can be copied as curl alone', async () => {
    const { url } = await serve(echo);
    const { recorder } = await talk(url);
    await recorder.fetch(`${url}/livez?token=abc&x=[1]`);
    const exchange = recorder.log.exchanges()[0] as WireExchange;
    expect(copyForms(exchange)).toEqual(['curl']);
    const { text } = await copyAs('curl', exchange, []);
    expect(text).toBe(`curl -sS -g '${url}/livez?token='"\${TOKEN:?}"'&x=[1]'`);
    await expect(copyAs('cli', exchange, [])).rejects.toThrow('not made by a client');
  });
});
