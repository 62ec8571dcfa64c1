import type { Part, Task } from '@a2a-js/sdk';
import { bytes, chunk, complete, json, link, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { echo } from '../../../../examples/agents/echo.ts';
import { chunkText } from '../../../../examples/agents/lab/chunks.ts';
import { lab } from '../../../../examples/agents/lab.ts';
import { agentOf } from '../support/script.ts';
import { allOf, assembled, assembledTexts, chunkTexts, payloadOf } from './support/events.ts';
import { artifactTexts, messageOf, partOf, sending, taskOf, textOf, textPart } from './support/messages.ts';
import { everyMatrix, type Row } from './support/rows.ts';
import { served } from './support/sdk.ts';

const METADATA = { 'urn:test:a': { list: [1, 'zwei', null, true, 2.5], empty: {} }, 'ключ 🔑': '值' };
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** Every kind of part. A `data` of null is not among them: the SDK reads it as a part without content. */
const PARTS: Readonly<Record<string, Part>> = {
  text: textPart('hello'),
  'empty text': textPart(''),
  'text with attributes': textPart('# Hi', { mediaType: 'text/markdown', filename: 'hi.md', metadata: METADATA }),
  bytes: partOf({ $case: 'raw', value: EVERY_BYTE }),
  'no bytes': partOf({ $case: 'raw', value: Buffer.alloc(0) }),
  'a file': partOf(
    { $case: 'raw', value: EVERY_BYTE },
    { mediaType: 'application/octet-stream', filename: 'Übersicht 1.bin', metadata: METADATA },
  ),
  'a link': partOf({ $case: 'url', value: 'https://example.com/a?b=c&d=%20#e' }),
  'a link with attributes': partOf(
    { $case: 'url', value: 'https://example.com/ü.png' },
    { mediaType: 'image/png', filename: 'ü.png', metadata: METADATA },
  ),
  'an object': partOf({ $case: 'data', value: { a: { b: [{ c: null }, 'd', 1e-7, Number.MAX_SAFE_INTEGER] } } }),
  'an empty object': partOf({ $case: 'data', value: {} }),
  'an object with attributes': partOf(
    { $case: 'data', value: { rows: [[1, 2]] } },
    { mediaType: 'application/json', filename: 'rows.json', metadata: METADATA },
  ),
  'a list': partOf({ $case: 'data', value: [1, [2, { three: 3 }], null] }),
  'a string': partOf({ $case: 'data', value: 'only text' }),
  'an empty string': partOf({ $case: 'data', value: '' }),
  'a number': partOf({ $case: 'data', value: -0.5 }),
  zero: partOf({ $case: 'data', value: 0 }),
  false: partOf({ $case: 'data', value: false }),
};

/** The part as the version, and the SDK's client for it, can carry it. */
function carried(part: Part, { sdk }: Row): Part {
  const { content } = part;
  const isFile = content?.$case === 'raw' || content?.$case === 'url';
  if (sdk.keepsMediaTypeOfText) return part;
  const attributes = isFile ? part : { filename: '', mediaType: '', metadata: part.metadata };
  if (sdk.keepsPartAttributes) return { ...part, ...attributes };
  const bare = { content, mediaType: attributes.mediaType, filename: '', metadata: undefined };
  const isWrapped = content?.$case === 'data' && (typeof content.value !== 'object' || Array.isArray(content.value));
  return isWrapped ? { ...bare, content: { $case: 'data', value: { value: content.value } } } : bare;
}

const TEXTS: Readonly<Record<string, string>> = {
  'many scripts': 'Grüße, 世界! Привет مرحبا שלום नमस्ते 한국어',
  'emoji and marks': '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 \u{10FFFF} Z͑ͫ̓ͪ̂ͫ',
  'line ends of all kinds': 'a\nb\r\nc\rd\u2028e\u2029f\u0085g\n\n',
  'what looks like frames': 'data: {"x": 1}\n\nevent: error\nid: 7\n: comment\n\n',
  'controls and blanks': '\u0000\u0001\t\u001b[31m\ufeff\u200b\u00a0 ',
  'what looks like JSON': '{"text": "\\u0041\\n\\""}\\',
};

everyMatrix((row) => {
  it.each(Object.keys(PARTS))('gets back a part as it was sent: %s', async (name) => {
    const part = PARTS[name];
    if (!part) throw new Error(name);
    const { client } = await served(row, echo);
    const message = messageOf(await client.sendMessage(sending([part, textPart('end')])));
    expect(message.parts).toEqual([carried(part, row), textPart('end')]);
    const [event] = await allOf(client.sendMessageStream(sending([part])));
    expect(payloadOf(event, 'message')?.parts).toEqual([carried(part, row)]);
  });

  it('finds the same parts in history, artifacts and status', async () => {
    const agent = agentOf(
      async (task) => {
        await task.artifact({ name: 'all', metadata: METADATA, extensions: ['urn:test:a'] }).end(task.parts);
        return complete({ parts: task.parts, metadata: METADATA, referenceTaskIds: ['t-1'] });
      },
      { inputModes: ['*/*'], outputModes: ['*/*'] },
    );
    const { client } = await served(row, agent);
    const parts = Object.values(PARTS);
    const events = await allOf(client.sendMessageStream(sending(parts, { message: { metadata: METADATA } })));
    const id = payloadOf(events[0], 'task')?.id ?? '';
    const task = await client.getTask({ id, tenant: '' });
    const expected = parts.map((part) => carried(part, row));
    expect(task.history[0]).toMatchObject({ parts: expected, metadata: METADATA });
    const { keepsReferences } = row.sdk;
    expect(task.status?.message).toMatchObject({
      parts: expected,
      metadata: METADATA,
      referenceTaskIds: keepsReferences ? ['t-1'] : [],
    });
    const artifact = {
      name: 'all',
      parts: expected,
      metadata: METADATA,
      extensions: keepsReferences ? ['urn:test:a'] : [],
    };
    expect(task.artifacts).toMatchObject([artifact]);
    expect([...assembled(events, row).values()]).toMatchObject([artifact]);
  });

  it('gets what an agent makes', async () => {
    const agent = agentOf(async function* (task) {
      await task.status([text('Looking'), json({ step: 1 })], { metadata: METADATA });
      yield chunk(
        [
          text('Done: ', { metadata: { lang: 'en' } }),
          bytes(EVERY_BYTE, { mediaType: 'application/x-test', filename: 'all.bin' }),
          link('https://example.com/x', { mediaType: 'text/html' }),
          json([1, 2]),
        ],
        { artifactId: 'result', metadata: METADATA },
      );
    });
    const { client } = await served(row, agent, {});
    const events = await allOf(client.sendMessageStream(sending('go')));
    const status = events.map((event) => payloadOf(event, 'statusUpdate')).find((update) => update?.metadata);
    expect(status).toMatchObject({ metadata: METADATA });
    expect(status?.status?.message?.parts.map((part) => part.content)).toEqual([
      { $case: 'text', value: 'Looking' },
      { $case: 'data', value: { step: 1 } },
    ]);
    const made = [
      textPart('Done: ', { metadata: { lang: 'en' } }),
      partOf({ $case: 'raw', value: EVERY_BYTE }, { mediaType: 'application/x-test', filename: 'all.bin' }),
      partOf({ $case: 'url', value: 'https://example.com/x' }, { mediaType: 'text/html' }),
      partOf({ $case: 'data', value: [1, 2] }),
    ];
    const expected = { metadata: METADATA, parts: made.map((part) => carried(part, row)) };
    expect(assembled(events, row).get('result')).toMatchObject(expected);
  });

  it.each(Object.keys(TEXTS))('keeps every character: %s', async (name) => {
    const written = TEXTS[name] ?? '';
    const agent = agentOf(async function* (task) {
      await task.status(task.text);
      // One chunk for each character, so that none of them is split on the way.
      for (const character of task.text) yield character;
    });
    const { client } = await served(row, agent);
    const events = await allOf(client.sendMessageStream(sending(written)));
    const kept = (character: string) => (row.sdk.keepsByteOrderMark ? character : character.replace('\ufeff', ''));
    expect(chunkTexts(events)).toEqual(Array.from(written).map(kept));
    expect(assembledTexts(events, row)).toEqual([Array.from(written).map(kept).join('')]);
    const task = await client.getTask({ id: payloadOf(events[0], 'task')?.id ?? '', tenant: '' });
    expect(artifactTexts(task)).toEqual([written]);
    expect(task.history.map((message) => textOf(message.parts))).toEqual([written, written]);
  });

  describe('much of it', () => {
    /** A megabyte of text with characters of one to four bytes. */
    const LARGE = 'Ein Stück Text, 世界 🌍. '.repeat(40_000).slice(0, 1_000_000);

    it('carries a large text both ways', async () => {
      const { client } = await served(row, echo);
      expect(textOf(messageOf(await client.sendMessage(sending(LARGE))).parts) === LARGE).toBe(true);
      const [event] = await allOf(client.sendMessageStream(sending(LARGE)));
      expect(textOf(payloadOf(event, 'message')?.parts) === LARGE).toBe(true);
    });

    it('carries a large artifact in one chunk', async () => {
      const { client } = await served(
        row,
        agentOf((task) => task.text),
      );
      const events = await allOf(client.sendMessageStream(sending(LARGE)));
      expect(assembledTexts(events, row).map((one) => one === LARGE)).toEqual([true]);
      const task: Task = taskOf(await client.sendMessage(sending(LARGE)));
      expect(artifactTexts(task).map((one) => one === LARGE)).toEqual([true]);
    });

    it('carries a large file', async () => {
      const value = Buffer.alloc(1_000_000, EVERY_BYTE);
      const { client } = await served(row, echo);
      const file = partOf({ $case: 'raw', value }, { mediaType: 'application/octet-stream' });
      const [part] = messageOf(await client.sendMessage(sending([file]))).parts;
      expect(part?.content?.$case === 'raw' && value.equals(part.content.value)).toBe(true);
    });

    it('brings 2,000 chunks in their order, each once', async () => {
      const { client } = await served(row, lab);
      const events = await allOf(client.sendMessageStream(sending('chunk 2000 16')));
      const expected = Array.from({ length: 2000 }, (_, index) => chunkText(index + 1, 16));
      expect(chunkTexts(events)).toEqual(expected);
      expect(assembledTexts(events, row)).toEqual([expected.join('')]);
    });
  });
});
