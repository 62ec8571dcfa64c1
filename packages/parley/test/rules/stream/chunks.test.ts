import { bytes, chunk, json, link, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { brings, textOfStream, textOfTask } from '../../support/frames.ts';
import { type RpcFrame, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

function updatesOf(frames: readonly RpcFrame[], artifactId?: string): Wire[] {
  return frames
    .flatMap(({ result }) => result.artifactUpdate ?? [])
    .filter((update) => artifactId === undefined || update.artifact.artifactId === artifactId);
}

/** The artifacts that a reader builds from the updates, by the rules of the protocol alone. */
function assemble(frames: readonly RpcFrame[]): Wire[] {
  const artifacts = new Map<string, Wire>();
  for (const { artifact, append } of updatesOf(frames)) {
    const known = artifacts.get(artifact.artifactId);
    if (append && known) known.parts.push(...artifact.parts);
    else artifacts.set(artifact.artifactId, structuredClone(artifact));
  }
  return [...artifacts.values()];
}

/** Text parts next to each other as one, empty ones left out: how the text was cut is not compared. */
function joined(artifacts: readonly Wire[] = []): Wire[] {
  return artifacts.map((artifact) => {
    const parts: Wire[] = [];
    for (const part of artifact.parts) {
      const last = parts.at(-1);
      if (typeof part.text !== 'string') parts.push(part);
      else if (typeof last?.text === 'string') parts[parts.length - 1] = { text: last.text + part.text };
      else if (part.text !== '') parts.push(part);
    }
    return { ...artifact, parts };
  });
}

describe('an artifact that is streamed', () => {
  const runs: Readonly<Record<string, Parameters<typeof agentOf>[0]>> = {
    'written in one go': function* () {
      yield 'one ';
      yield 'two ';
      yield 'three';
    },
    'written with pauses': async function* () {
      for (const piece of ['one ', 'two ', 'three']) {
        yield piece;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    'written in a single piece': () => 'one two three',
    'written through a writer that ends it': async (task) => {
      const writer = task.artifact({ name: 'count' });
      await writer.write('one two ');
      await writer.end('three');
    },
    'given as a collection': () => new Set(['one ', 'two ', 'three']),
    'given as a web stream': () => ReadableStream.from(['one ', 'two ', 'three']),
    'given by a promise of a generator': async () =>
      (function* () {
        yield* ['one ', 'two ', 'three'];
      })() as never,
    'ended by a chunk of its own': async function* () {
      yield chunk('one ', { artifactId: 'a' });
      yield chunk('two ', { artifactId: 'a' });
      yield chunk('three', { artifactId: 'a', lastChunk: true });
    },
  };
  for (const [name, run] of Object.entries(runs)) {
    it(`begins without append, goes on with it and ends with lastChunk, ${name} (S0.4) [rule:stream.chunks]`, async () => {
      const { peer } = startServer(agentOf(run));
      const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
      const updates = updatesOf(frames);
      expect(updates[0].append ?? false).toBe(false);
      for (const update of updates.slice(1)) expect(update.append).toBe(true);
      for (const update of updates.slice(0, -1)) expect(update.lastChunk ?? false).toBe(false);
      expect(updates.at(-1).lastChunk).toBe(true);
      expect(new Set(updates.map((update) => update.artifact.artifactId)).size).toBe(1);
      for (const update of updates) expect(update.artifact.parts.length).toBeGreaterThan(0);
      expect(textOfStream(frames)).toBe('one two three');
      const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
      expect(textOfTask(task)).toBe('one two three');
      expect(joined(assemble(frames))).toEqual(joined(task.artifacts));
    });
  }

  it('is one of several that are written by turns (S0.4) [rule:stream.chunks]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        const table = task.artifact({
          artifactId: 'table',
          name: 'figures.csv',
          description: 'Figures',
          metadata: { rows: 2 },
        });
        const image = task.artifact({ artifactId: 'image' });
        yield 'a';
        await table.write('1,2\n');
        yield 'b';
        await image.write(bytes('png', { mediaType: 'image/png', filename: 'a.png' }));
        await table.end('3,4\n');
        yield json({ c: [1, null] });
        await image.end(link('https://files.example/a.png'));
        yield 'd';
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
    expect(task.artifacts.map((artifact: Wire) => artifact.artifactId).slice(1)).toEqual(['table', 'image']);
    expect(task.artifacts[0].parts).toEqual([{ text: 'ab' }, { data: { c: [1, null] } }, { text: 'd' }]);
    expect(task.artifacts[1]).toEqual({
      artifactId: 'table',
      name: 'figures.csv',
      description: 'Figures',
      metadata: { rows: 2 },
      parts: [{ text: '1,2\n3,4\n' }],
    });
    expect(task.artifacts[2].parts).toEqual([
      { raw: 'cG5n', mediaType: 'image/png', filename: 'a.png' },
      { url: 'https://files.example/a.png' },
    ]);
    expect(joined(assemble(frames))).toEqual(joined(task.artifacts));
    for (const { artifactId } of task.artifacts) {
      const updates = updatesOf(frames, artifactId);
      expect(updates.map((update) => update.append ?? false)).toEqual(updates.map((_, index) => index > 0));
      expect(updates.map((update) => update.lastChunk ?? false)).toEqual(
        updates.map((_, index) => index === updates.length - 1),
      );
    }
  });

  it('is replaced by a chunk without append [rule:stream.chunks]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield chunk('a draft', { artifactId: 'text', name: 'draft' });
        yield chunk(' of it', { artifactId: 'text' });
        yield chunk('the text', { artifactId: 'text', name: 'final', append: false });
        yield chunk(' itself', { artifactId: 'text', lastChunk: true });
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(updatesOf(frames).map((update) => update.append ?? false)).toEqual([false, true, false, true]);
    const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0].name).toBe('final');
    expect(textOfTask(task)).toBe('the text itself');
    expect(joined(assemble(frames))).toEqual(joined(task.artifacts));
  });

  it('may be replaced after it has ended [rule:stream.chunks]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield chunk('first', { artifactId: 'text', lastChunk: true });
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield chunk('second', { artifactId: 'text', append: false, lastChunk: true });
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0].parts).toEqual([{ text: 'second' }]);
  });
});

describe('GetTask', () => {
  it('shows a streamed string as one part, also in the middle [rule:stream.text-joined]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'one ';
        yield 'two ';
        await go.promise;
        yield 'three ';
        yield 'four';
      }),
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const frames = await stream.until(brings('two '));
    const { id } = frames[0]?.result.task ?? {};
    const middle = await peer.call('GetTask', { id });
    expect(middle.status.state).toBe('TASK_STATE_WORKING');
    expect(middle.artifacts[0].parts).toEqual([{ text: 'one two ' }]);
    const subscriber = await peer.open('SubscribeToTask', { id });
    const snapshot = await subscriber.next();
    expect(snapshot?.result.task.artifacts[0].parts).toEqual([{ text: 'one two ' }]);
    go.resolve();
    await Promise.all([stream.rest(), subscriber.rest()]);
    const end = await peer.call('GetTask', { id });
    expect(end.artifacts[0].parts).toEqual([{ text: 'one two three four' }]);
    const { tasks } = await peer.call('ListTasks', { includeArtifacts: true });
    expect(tasks[0].artifacts[0].parts).toEqual([{ text: 'one two three four' }]);
  });

  it('keeps parts apart that were written as parts [rule:stream.text-joined]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        yield 'a';
        yield 'b';
        yield text('c');
        yield text('d');
        yield 'e';
        yield 'f';
        yield [text('g'), text('h')];
        yield 'i';
        const writer = task.artifact({ artifactId: 'second' });
        await writer.write('1');
        await writer.write(text('2'));
        await writer.write('3');
        await writer.end('4');
      }),
    );
    const task = await peer.send('go');
    const parts = (index: number) => task.artifacts[index].parts.map((part: Wire) => part.text);
    expect(parts(0)).toEqual(['ab', 'c', 'd', 'ef', 'g', 'h', 'i']);
    expect(parts(1)).toEqual(['1', '2', '34']);
  });

  it('continues the string of its own artifact when two are written by turns [rule:stream.text-joined]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        const [left, right] = [task.artifact({ artifactId: 'left' }), task.artifact({ artifactId: 'right' })];
        for (const piece of ['1', '2', '3']) {
          await left.write(`l${piece}`);
          await right.write(`r${piece}`);
        }
      }),
    );
    const task = await peer.send('go');
    expect(task.artifacts).toEqual([
      { artifactId: 'left', parts: [{ text: 'l1l2l3' }] },
      { artifactId: 'right', parts: [{ text: 'r1r2r3' }] },
    ]);
  });
});
