import fc from 'fast-check';
import { A2AClient, A2AServer, type Artifact, isA2AError, type StreamEvent, type Task } from 'parley-a2a';
import { beforeAll, describe, expect, it } from 'vitest';
import { TaskCollector } from '../../src/client/stream/collect.ts';
import { joined } from '../../src/client/stream/snapshot-diff.ts';
import { BadLine, type Mishap } from '../crash/server/proxy.ts';
import { SPEAKERS, SPEAKERS_MOUNTS, type Speaker } from '../support/speakers.ts';
import { type End, hasOneArtifact, SCRIPTED, type Script, scripts, textOfScript } from './script.ts';

/** How many streams are read in each way. */
const numRuns = Number(process.env.EXACT_RUNS ?? 12);

/** Quick and never tired: nearly every connection of these tests is cut. */
const reconnect = { firstDelay: 1, longestDelay: 5, attempts: 1_000 } as const;
const retry = { firstDelay: 1, longestDelay: 5, attempts: 100 } as const;

const cuts = fc.array(
  fc.record({
    end: fc.constantFrom('cut' as const, 'half-close' as const),
    endAfter: fc.integer({ min: 1, max: 3_000 }),
    piece: fc.constantFrom(7, 100, 10_000),
  }),
  { maxLength: 6 },
);

/** JAF tells the end of some tasks as an error, and has one place for what an agent writes and what it says at last. */
const endsIn = ({ name }: Speaker): readonly End[] =>
  name === 'jaf' ? ['done', 'result', 'ask'] : ['done', 'message', 'result', 'ask', 'fail', 'reject'];

const server = new A2AServer({ agents: SCRIPTED, mounts: SPEAKERS_MOUNTS });
/** What becomes of the next connections; those after them are good. */
let mishaps: Mishap[] = [];
let url = '';

/** A connection for each request, so that each meets with its own mishap. */
const separately: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('connection', 'close');
  return fetch(input, { ...init, headers });
};

beforeAll(async () => {
  await server.listen({ port: 0 });
  const line = new BadLine(Number(new URL(server.url ?? '').port), () => mishaps.shift() ?? {});
  url = await line.listen();
  return async () => {
    await line.close();
    await server.close();
  };
});

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function foldOf(events: readonly StreamEvent[], joinText: boolean): Task | undefined {
  const collector = new TaskCollector({ joinText });
  for (const event of events) collector.apply(event);
  return collector.task;
}

/** As JSON, with neighbouring plain texts as one: in which chunks they came is not part of a task. */
function plain(task: Task | undefined): unknown {
  const artifacts = task?.artifacts.map((artifact: Artifact) => ({ ...artifact, parts: joined(artifact.parts) }));
  return JSON.parse(JSON.stringify({ ...task, artifacts }));
}

/**
 * What a dialect can tell: tasks of JAF have no history, and the last frame of its streams has no time; the older updates of
 * artifacts have parts and nothing beside them.
 */
function told(task: Task | undefined, { name }: Speaker): unknown {
  if (!task) return undefined;
  if (name === 'jaf') return plain({ ...task, history: [], status: { ...task.status, timestamp: '' } });
  if (name !== 'rxjs-older') return plain(task);
  return plain({ ...task, artifacts: task.artifacts.map(({ artifactId, parts }) => ({ artifactId, parts })) });
}

/** What its events can tell: those of the draft begin with ids and status of a task, also where it has a history. */
function toldByEvents(task: Task | undefined, speaker: Speaker): unknown {
  return told(speaker.name === 'v1_draft' && task ? { ...task, history: [] } : task, speaker);
}

/** In no order: which of several artifacts grew first is not told by all dialects. */
const lettersOf = (text: string) => text.split('').sort();

/** Undefined where the connection was lost before the agent named a task, and the message may not be sent again. */
async function read(client: A2AClient, script: Script) {
  const stream = client.sendMessageStream(JSON.stringify(script));
  try {
    const [events, texts, task] = await Promise.all([allOf(stream), allOf(stream.textStream), stream.task]);
    return { events, text: texts.join(''), task };
  } catch (error) {
    if (isA2AError(error) && error.code === 'STREAM_INTERRUPTED' && !error.task) return undefined;
    throw error;
  }
}

/** Their cards do not declare the extension. */
const CANNOT_REPEAT: ReadonlySet<string> = new Set(['cogitator', 'jaf']);

const write = (text: string) => ({ write: text });
/** A pause between bursts; and what only the task's metadata has. */
const EXAMPLES: [Script, never[]][] = [
  [{ steps: [write('one '), { pause: 4 }, write('two '), write('three '), write('four')], end: 'done' }, []],
  [{ steps: [write('one '), { call: 'help' }, { pause: 4 }], end: 'result' }, []],
];

describe.each(SPEAKERS)('our client in $name', (speaker) => {
  it('sees every event once and comes to the task that getTask shows, whatever is cut', {
    timeout: 120_000,
  }, async () => {
    const client = await A2AClient.connect(`${url}${speaker.path}`, {
      ...speaker.options,
      reconnect,
      retry,
      fetch: separately,
    });
    const direct = await A2AClient.connect(`${server.url}${speaker.path}`, speaker.options);
    await fc.assert(
      fc.asyncProperty(scripts(endsIn(speaker)), cuts, async (script, given) => {
        mishaps = given.slice();
        // An answer of JAF is one text: where several artifacts grow, it grows in the middle and comes anew.
        fc.pre(speaker.name !== 'jaf' || hasOneArtifact(script));
        const seen = await read(client, script);
        mishaps = [];
        if (!seen) {
          expect(CANNOT_REPEAT).toContain(speaker.name);
          return;
        }
        const { events, text, task } = seen;
        const got = await direct.getTask(task.id);
        if (hasOneArtifact(script)) expect(text).toBe(textOfScript(script));
        else expect(lettersOf(text)).toEqual(lettersOf(textOfScript(script)));
        expect(toldByEvents(foldOf(events, true), speaker)).toEqual(toldByEvents(got, speaker));
        expect(told(task, speaker)).toEqual(told(got, speaker));
      }),
      { numRuns, examples: EXAMPLES },
    );
  });
});
