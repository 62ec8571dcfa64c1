import { A2AError, chunk, inputRequired, json, type Output, type Part, reject, reply, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { textOfParts, textOfTask } from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

type Run = Parameters<typeof agentOf>[0];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const SECRET = 'password=hunter2 at /srv/agent/secrets.ts:17';

describe('an error of the agent', () => {
  const runs: Readonly<Record<string, Run>> = {
    'thrown at once': () => {
      throw new Error(SECRET);
    },
    'of a promise': async () => {
      throw new Error(SECRET);
    },
    'of a generator after output': async function* () {
      yield 'half ';
      throw new Error(SECRET, { cause: new Error(SECRET) });
    },
    'of a plain generator': function* () {
      yield 'half ';
      throw new Error(SECRET);
    },
    'that is a string': async () => {
      throw SECRET;
    },
    'that is an error of this library': async () => {
      throw new A2AError('INVALID_PARAMS', SECRET, { metadata: { SECRET } });
    },
    'that cannot be printed': async () => {
      throw Object.create(null, { message: { value: SECRET }, toString: { value: () => SECRET } });
    },
  };
  for (const [name, run] of Object.entries(runs)) {
    it(`${name} fails the task with a reference and says nothing of the inside [rule:send.agent-error]`, async () => {
      const { peer, logged } = startServer(agentOf(run));
      const response = await peer.request('SendMessage', sendParams('go'));
      const answer = await response.text();
      expect(answer).not.toContain('hunter2');
      expect(answer).not.toContain('secrets.ts');
      const { task } = JSON.parse(answer).result;
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      const said = textOfParts(task.status.message.parts);
      const reference = UUID.exec(said)?.[0];
      expect(reference).toBeDefined();
      expect(task.status.message.metadata.reference).toBe(reference);
      const entry = logged.find((line: Wire) => line.details.reference === reference);
      expect(entry?.details).toMatchObject({ taskId: task.id, agent: 'test' });
      const { error } = entry?.details ?? {};
      expect(typeof error === 'string' ? error : error.message).toBe(SECRET);
    });
  }

  for (const nothing of [undefined, null, 0, '']) {
    it(`that is ${JSON.stringify(nothing)} fails the task all the same [rule:send.agent-error]`, async () => {
      const { peer } = startServer(
        agentOf(async () => {
          throw nothing;
        }),
      );
      expect((await peer.send('go')).status.state).toBe('TASK_STATE_FAILED');
    });
  }

  it('keeps what was written before it, and the stream shows the end [rule:send.agent-error]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'half a result';
        throw new Error(SECRET);
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(frames)).not.toContain('hunter2');
    const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
    expect(textOfTask(task)).toBe('half a result');
  });
});

describe('a rejection', () => {
  for (const operation of ['SendMessage', 'SendStreamingMessage'] as const) {
    it(`ends the task as REJECTED with its message, by ${operation} [rule:send.reject]`, async () => {
      const { peer, logged } = startServer(
        agentOf(async () => {
          throw reject('I only speak about the weather');
        }),
      );
      const status =
        operation === 'SendMessage'
          ? (await peer.send('go')).status
          : (await peer.stream(operation, sendParams('go'))).at(-1)?.result.statusUpdate.status;
      expect(status.state).toBe('TASK_STATE_REJECTED');
      expect(status.message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'I only speak about the weather' }] });
      expect(logged).toEqual([]);
    });
  }

  it('may come after output [rule:send.reject]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'some';
        throw reject([text('no'), json({ why: 'policy' })]);
      }),
    );
    const task = await peer.send('go');
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_REJECTED',
      message: { parts: [{ text: 'no' }, { data: { why: 'policy' } }] },
    });
    expect(textOfTask(task)).toBe('some');
  });
});

describe('an output that the protocol cannot carry fails the task cleanly', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const outputs: Readonly<Record<string, unknown>> = {
    'cyclic data': { kind: 'data', data: cyclic },
    'data that is a function': { kind: 'data', data: () => 1 },
    'data that is undefined': { kind: 'data', data: undefined },
    'data with a bigint': { kind: 'data', data: { size: 10n } },
    'data that throws when it is written': {
      kind: 'data',
      data: {
        toJSON() {
          throw new Error('inner');
        },
      },
    },
    'an unknown kind of part': { kind: 'video', url: 'https://a.example' },
    'a part of a cyclic kind': { kind: cyclic },
    'an object that is no part': { hello: 'world' },
    'a function': () => 'hello',
    'a symbol': Symbol('hello'),
    'a number': 42,
    null: null,
    'a text part without text': { kind: 'text' },
    'bytes that are not base64': { kind: 'bytes', bytes: 'not base64!' },
    'a link without an address': { kind: 'link', url: '' },
    'a list with something else in it': [text('fine'), { kind: 'nothing' }],
    'a chunk without parts': chunk([]),
    'a part with metadata that is no object': { kind: 'text', text: 'a', metadata: 'b' },
    'a part with cyclic metadata': { kind: 'text', text: 'a', metadata: cyclic },
    'a part whose media type is no text': { kind: 'text', text: 'a', mediaType: 5 },
  };

  for (const [name, output] of Object.entries(outputs)) {
    it(`yielded: ${name}`, async () => {
      const { peer, logged } = startServer(
        agentOf(async function* (task) {
          yield 'before';
          if (task.text === 'go') yield output as Output;
          yield ' after';
        }),
      );
      const task = await peer.send('go');
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(textOfTask(task)).toBe('before');
      expect(logged).toHaveLength(1);
      expect(textOfTask(await peer.send('again'))).toBe('before after');
    });
  }

  const results: Readonly<Record<string, Run>> = {
    'a returned function': () => (() => 1) as never,
    'a question about cyclic data': () => inputRequired({ kind: 'data', data: cyclic as never }),
    'a reply that is no message': () => reply(5 as never),
    'a reply with unknown parts': () => reply([{ kind: 'video' } as never]),
    'a rejection that cannot be written': () => {
      throw reject({ parts: [{ kind: 'data', data: cyclic as never }] });
    },
    'an outcome that does not exist': () => ({ outcome: 'applause' }) as never,
    'a returned number': () => 5 as never,
    'an awaited write': async (task) => task.write({ kind: 'data', data: cyclic } as unknown as Part),
    'an awaited status': async (task) => task.status({ parts: [{ kind: 'data', data: cyclic as never }] }),
    'an artifact whose id is no text': async (task) => task.artifact({ artifactId: 5 as never }).write('a'),
    'an artifact whose name is no text': async (task) => task.artifact({ name: {} as never }).write('a'),
  };
  for (const [name, run] of Object.entries(results)) {
    it(name, async () => {
      const { peer, server } = startServer(agentOf(run), { limits: { requestTimeout: 1000 } });
      expect((await peer.send('go')).status.state).toBe('TASK_STATE_FAILED');
      await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('an artifact id that is empty counts as left out', async () => {
    const { peer } = startServer(agentOf(async (task) => task.artifact({ artifactId: '' }).write('a')));
    const [artifact] = (await peer.send('go')).artifacts;
    expect(artifact.artifactId).toMatch(UUID);
  });

  it('an object that is changed after it was written is stored as it was', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        const data = { count: 1 };
        yield json(data);
        data.count = 2;
        yield json(data);
      }),
    );
    const task = await peer.send('go');
    expect(task.artifacts[0].parts).toEqual([{ data: { count: 1 } }, { data: { count: 2 } }]);
  });
});
