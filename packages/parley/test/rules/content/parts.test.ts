import { bytes, bytesOf, chunk, json, link, type Part, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** Sends parts to an agent that gives them back; what the history and the artifact show of them. */
function start() {
  const seen: Part[] = [];
  const { peer } = startServer(
    agentOf(
      (task) => {
        seen.push(...task.parts);
        return task.parts;
      },
      { inputModes: ['*/*'] },
    ),
  );
  const roundTrip = async (parts: Wire): Promise<Wire> => {
    const { task } = await peer.call('SendMessage', sendParams('', { parts }));
    expect(violationsOfV1('Task', task)).toEqual([]);
    expect(task.artifacts[0].parts).toEqual(task.history[0].parts);
    return task.artifacts[0].parts;
  };
  return { peer, roundTrip, seen };
}

describe('a part', () => {
  it.each<[string, Wire]>([
    ['nothing', {}],
    ['attributes only', { mediaType: 'text/plain', filename: 'x' }],
    ['text and data', { text: 'x', data: 1 }],
    ['text and null data', { text: 'x', data: null }],
    ['raw and url', { raw: 'aGk=', url: 'https://example.com' }],
    ['all four', { text: '', raw: '', url: '', data: {} }],
    ['nulls', { text: null, raw: null, url: null }],
    ['the 0.3 file', { file: { bytes: 'aGk=' } }],
  ])('with %s is refused [rule:parts.exactly-one]', async (_, part) => {
    const { peer } = start();
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const error = await peer.error(method, sendParams('', { parts: [{ text: 'fine' }, part] }));
      expect(error.code).toBe(-32602);
      expect(error.data[0].fieldViolations[0].field).toContain('message.parts[1]');
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it.each<[Wire]>([
    ['text'],
    [5],
    [null],
    [[]],
    [true],
  ])('that is %j is refused [rule:parts.exactly-one]', async (part) => {
    const { peer } = start();
    expect((await peer.error('SendMessage', sendParams('', { parts: [part] }))).code).toBe(-32602);
  });

  it.each<[string, Wire]>([
    ['text', { text: 5 }],
    ['text', { text: { value: 'x' } }],
    ['url', { url: 5 }],
    ['raw', { raw: 5 }],
    ['raw', { raw: [104, 105] }],
  ])('with %s of a wrong type is refused: %j [rule:parts.exactly-one]', async (_, part) => {
    const { peer } = start();
    expect((await peer.error('SendMessage', sendParams('', { parts: [part] }))).code).toBe(-32602);
  });

  it.each<[Wire]>([
    [{ text: '' }],
    [{ text: 'two\nlines \u0000 \u2028 🙂' }],
    [{ data: null }],
    [{ data: false }],
    [{ data: 0 }],
    [{ data: '' }],
    [{ data: -1.5 }],
    [{ data: 'text' }],
    [{ data: [] }],
    [{ data: {} }],
    [{ data: [1, 'two', null, { three: [3] }] }],
    [{ data: { text: 'not a text part', nested: { snake_case: null } } }],
    [{ raw: '' }],
    [{ url: 'https://files.example.com/r.pdf' }],
  ])('%j survives the round trip [rule:parts.values]', async (part) => {
    const { roundTrip } = start();
    expect(await roundTrip([part])).toEqual([part]);
  });

  it('keeps the order among others [rule:parts.values]', async () => {
    const { roundTrip } = start();
    const parts = [{ text: 'a' }, { data: 1 }, { text: 'b' }, { text: 'c' }, { raw: 'aGk=' }, { text: '' }];
    expect(await roundTrip(parts)).toEqual(parts);
  });
});

describe('raw', () => {
  it.each([
    ['aGk=', 'aGk='],
    ['aGk', 'aGk='],
    ['+/+/', '+/+/'],
    ['-_-_', '+/+/'],
    ['-_8=', '+/8='],
    ['-_8', '+/8='],
    ['-w==', '+w=='],
    ['-w', '+w=='],
    ['', ''],
  ])('%j is written as %j [rule:parts.raw]', async (read, written) => {
    const { roundTrip } = start();
    expect(await roundTrip([{ raw: read }])).toEqual([{ raw: written }]);
  });

  it('reaches the agent as its bytes, and every byte comes back [rule:parts.raw]', async () => {
    const { roundTrip, seen } = start();
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const standard = Buffer.from(all).toString('base64');
    expect(await roundTrip([{ raw: Buffer.from(all).toString('base64url') }])).toEqual([{ raw: standard }]);
    const [part] = seen;
    if (part?.kind !== 'bytes') throw new Error('no bytes');
    expect(bytesOf(part)).toEqual(all);
  });

  it.each([
    'a',
    'aGk*',
    'aGk= ',
    'a Gk',
    'aGk==',
    'a===',
    '====',
    'aG=k',
    '+_+_',
    'data:;base64,aGk=',
    'grün',
  ])('%j is refused [rule:parts.raw]', async (raw) => {
    const { peer } = start();
    const error = await peer.error('SendMessage', sendParams('', { parts: [{ raw }] }));
    expect(error.code).toBe(-32602);
    expect(error.data[0].fieldViolations[0].field).toBe('message.parts[0].raw');
  });
});

it.each<[string, Wire]>([
  ['text', { text: '<p>Hi</p>' }],
  ['raw', { raw: 'aGk=' }],
  ['url', { url: 'https://example.com/a.png' }],
  ['data', { data: [1] }],
])('attributes are kept on %s [rule:parts.attributes]', async (_, content) => {
  const { roundTrip, seen } = start();
  const part = { ...content, mediaType: 'text/html', filename: 'a b.html', metadata: { page: 1, tags: [null] } };
  expect(await roundTrip([part])).toEqual([part]);
  expect(seen[0]).toMatchObject({ mediaType: 'text/html', filename: 'a b.html', metadata: { page: 1, tags: [null] } });
});

describe('an artifact', () => {
  it('has an id that is unique in its task, and a part [rule:parts.artifact]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        yield 'default';
        await task.artifact().end('first');
        await task.artifact({ artifactId: 'named' }).write('one');
        await task.artifact({ artifactId: 'named' }).end(json({ two: 2 }));
        await task.write(chunk(link('https://example.com/x'), { artifactId: 'linked' }));
        await task.write(chunk(bytes('raw'), { artifactId: 'linked', append: true }));
        await task.artifact({ artifactId: 'untouched' }).end();
        await task.artifact({ artifactId: 'silent' }).write('');
        await task.write([]);
        await task.write('');
        yield [text(''), text('last')];
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    for (const { result } of frames) expect(violationsOfV1('StreamResponse', result)).toEqual([]);
    const { task } = frames[0]?.result ?? {};
    const { artifacts } = await peer.call('GetTask', { id: task.id });
    const ids: string[] = artifacts.map((artifact: Wire) => artifact.artifactId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const artifact of artifacts) {
      expect(artifact.artifactId).not.toBe('');
      expect(artifact.parts.length).toBeGreaterThan(0);
    }
    expect(artifacts.map((artifact: Wire) => artifact.parts)).toEqual([
      [{ text: 'default' }, { text: '' }, { text: 'last' }],
      [{ text: 'first' }],
      [{ text: 'one' }, { data: { two: 2 } }],
      [{ url: 'https://example.com/x' }, { raw: 'cmF3' }],
    ]);
  });

  it('does not share its id with artifacts of other tasks by accident [rule:parts.artifact]', async () => {
    const { peer } = startServer(agentOf((task) => task.text));
    const tasks = await Promise.all(['a', 'b', 'c'].map((word) => peer.send(word)));
    expect(new Set(tasks.map((task) => task.artifacts[0].artifactId)).size).toBe(3);
  });
});
