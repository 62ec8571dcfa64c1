import { type Agent, defineAgent } from 'parley-a2a';
import { A2AClient } from 'parley-a2a/client';
import { describe, expect, it } from 'vitest';
import { maskedHeader, maskedText, maskedUrl } from '../../../parley/src/snippets/secrets.ts';
import { alternativesOf, alternativeWords, schemeWords } from '../../src/wire/access/security-words.ts';
import { compared } from '../../src/wire/compare/differences.ts';
import { LineSwitch } from '../../src/wire/record/line-switch.ts';
import { Recorder } from '../../src/wire/record/recorder.ts';
import { resumesIn } from '../../src/wire/record/resumes.ts';
import { WireLog } from '../../src/wire/record/wire-log.ts';
import { fieldsOf, pretty, shownText } from '../../src/wire/traffic/describe-exchange.ts';
import { serve } from './echo-server.ts';

describe('a line that is cut', () => {
  it('fails what is under way and what is tried meanwhile; then the stream goes on, and nothing comes twice', async () => {
    const { promise: healed, resolve: heal } = Promise.withResolvers<void>();
    const halves: Agent = defineAgent({
      name: 'halves',
      description: 'Waits in the middle',
      version: '1.0.0',
      async *run() {
        yield 'one ';
        await healed;
        yield 'two';
      },
    });
    const { url } = await serve(halves);
    const line = new LineSwitch();
    const log = new WireLog();
    const recorder = new Recorder(log, line.fetch);
    const options = { reconnect: { attempts: 1000, firstDelay: 1, longestDelay: 10 } };
    const client = new A2AClient(url, { ...recorder.forClient({ url }), ...options });
    const stream = client.sendMessageStream('go');
    let text = '';
    const read = (async () => {
      for await (const event of stream) text += event.text;
    })();
    await expect.poll(() => text).toBe('one ');
    line.disconnect();
    expect(line.isConnected()).toBe(false);
    await expect(line.fetch(url)).rejects.toThrow('You have disconnected this page');
    await expect.poll(() => resumesIn(log.exchanges())[0]?.attempts ?? 0).toBeGreaterThan(0);
    heal();
    line.connect();
    await read;
    expect(text).toBe('one two');
    const [resume] = resumesIn(log.exchanges());
    expect(resume).toMatchObject({ taskId: (await stream.task).id, repeated: 0 });
    expect(resume?.by?.request.headers).toContainEqual(['last-event-id', resume?.position]);
    expect(Number(resume?.latest)).toBeGreaterThan(Number(resume?.position));
    expect(resume?.events).toBeGreaterThan(0);
  });
});

describe('differences of two texts', () => {
  it('are lines that the other does not have, whatever their order, ids and times', () => {
    const one =
      '{\n  "id": "0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e",\n  "kind": "task",\n  "at": "2026-01-01T00:00:00Z"\n}';
    const two = '{\n  "at": "2026-02-02T00:00:00.123Z",\n  "id": "0198f3c2-7a0e-7bb2-9a57-000000000000"\n}';
    expect(compared(one, two).flatMap(({ text, differs }) => (differs ? [text.trim()] : []))).toEqual([
      '"kind": "task",',
    ]);
    expect(compared(two, one).some(({ differs }) => differs)).toBe(false);
  });
});

describe('texts of the wire', () => {
  it('hide secrets until they are wanted', () => {
    const values = ['s3cret"'];
    expect(maskedHeader('Authorization', 'Bearer abc')).toBe('Bearer ***');
    expect(maskedHeader('x-api-key', 'abc')).toBe('***');
    expect(maskedHeader('idempotency-key', 'abc')).toBe('abc');
    expect(maskedHeader('x-team', 's3cret"', { values })).toBe('***');
    expect(maskedUrl('https://u:p@a.test/x?api_key=abc&q=1#f')).toBe('https://u:***@a.test/x?api_key=***&q=1#f');
    expect(maskedText('{"a":"s3cret\\""} s3cret%22', { values })).toBe('{"a":"***"} ***');
    expect(maskedText('s3cret"', { values, reveal: true })).toBe('s3cret"');
  });

  it('show what would turn or hide the text around it', () => {
    expect(shownText('a\u202eb\u0000\r\nc', {})).toBe('a\\u202eb\\u0000\nc');
    expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(pretty(`${'['.repeat(200_000)}`)).toHaveLength(200_000);
    expect(fieldsOf({ text: ': hi\nid:7\nevent: x\ndata: a\ndata: b\n\n', time: 0 })).toEqual({
      id: '7',
      event: 'x',
      data: 'a\nb',
    });
  });

  it('say in words what a card asks for', () => {
    const card = { security: [{ key: [], login: ['read', 'write'] }, {}] };
    expect(alternativesOf(card as never).map(alternativeWords)).toEqual([
      'key together with login with the scopes read, write',
      'nothing',
    ]);
    expect(schemeWords({ type: 'http', scheme: 'Basic' })).toBe('A user name and a password.');
    expect(schemeWords({ type: 'oauth2', flows: { deviceCode: { scopes: {} } } })).toContain('a code that you type');
  });
});
