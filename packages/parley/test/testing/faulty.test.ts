import fc from 'fast-check';
import { A2AClient, type StreamEvent } from 'parley-a2a';
import { type Faults, fakeAgent, faulty, TestClock, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import '../support/a2a-matchers.ts';
import { eventually } from '../support/eventually.ts';
import { agentOf } from '../support/script.ts';

const TEXT = 'one two three four five';
const counting = () =>
  agentOf(async function* () {
    for (const word of TEXT.split(/(?<= )/)) {
      yield word;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

function clientOver(faults: Faults, resumes = true) {
  const kit = testAgent(counting());
  onTestFinished(() => kit.close());
  const attempts: number[] = [];
  const client = kit.connect({
    fetch: faulty(kit.fetch, faults),
    retry: { firstDelay: 1, longestDelay: 2 },
    reconnect: resumes ? { firstDelay: 1, longestDelay: 2 } : false,
    onReconnect: ({ attempt }) => attempts.push(attempt),
  });
  return { kit, client, attempts };
}

describe('faulty', () => {
  it.each<[string, Faults]>([
    ['drops the stream', { dropAt: 3 }],
    ['cuts a frame in two', { cutAt: 3 }],
    ['ends the stream early', { closeAt: 3 }],
    ['sends an event twice, then drops the stream', { duplicate: 3, dropAt: 4 }],
    ['drops several streams', { dropAt: [1, 2, undefined, 1] }],
  ])('%s, and a client bears it', async (_, faults) => {
    const { client, attempts } = clientOver(faults);
    const stream = client.sendMessageStream('go');
    const seen: StreamEvent[] = [];
    for await (const event of stream) seen.push(event);
    const task = await stream.task;
    expect(task).toHaveText(TEXT);
    expect(task).toEqual(await client.getTask(task.id));
    const log: StreamEvent[] = [];
    for await (const event of client.subscribe(task.id, { lastEventId: 0 })) log.push(event);
    expect(seen.filter(({ kind }) => kind !== 'task')).toEqual(log.slice(log.length - seen.length + 1));
    expect(attempts.length).toBeGreaterThan(0);
  });

  it.each([true, false])('leaves a client with the question that got lost (resume extension: %s)', async (resumes) => {
    const responses = [['one ', { state: 'input-required', message: 'Which?' }]] as const;
    for (const version of ['1.0', '0.3'] as const) {
      const agent = fakeAgent({ responses, resumes });
      const client = new A2AClient(agent.url, {
        prefer: { version },
        fetch: faulty(agent.fetch, { dropAt: 3 }),
        reconnect: { firstDelay: 1, longestDelay: 2 },
      });
      const task = await client.sendMessageStream('go').task;
      expect(task).toBeInState('input-required');
      expect(task).toHaveText('one ');
    }
  });

  it('breaks what is not resumed', async () => {
    const { client } = clientOver({ dropAt: 3 }, false);
    await expect(client.sendMessageStream('go').task).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  it('answers 503, or nothing, for a while', async () => {
    const { client } = clientOver({ unavailable: 1, unreachable: 1 });
    expect(await client.sendMessage('go')).toHaveText(TEXT);
  });

  it('crashes the server behind an event', async () => {
    let kit: ReturnType<typeof testAgent> | undefined;
    const { kit: made, client } = clientOver({ after: { event: 2, do: () => kit?.restart() } });
    kit = made;
    await expect(client.sendMessageStream('go')).toFailWith('server-restarted');
  });

  it('slows streams down, on a clock', async () => {
    const clock = new TestClock({ frozen: true });
    const agent = fakeAgent(['a', 'b']);
    const client = new A2AClient(agent.url, { fetch: faulty(agent.fetch, { delay: 1_000, clock }) });
    const pieces: string[] = [];
    const stream = client.sendMessageStream('go');
    const reading = (async () => {
      for await (const piece of stream.textStream) pieces.push(piece);
    })();
    await eventually(async () => {
      await clock.advance(500);
      return pieces.length;
    }).toBe(1);
    await eventually(async () => {
      await clock.advance(500);
      return pieces.length;
    }).toBe(2);
    await clock.advance(1_000);
    await reading;
    expect(pieces).toEqual(['a', 'b']);
  });

  it('never makes a resuming client lose or double anything', async () => {
    const kit = testAgent(counting());
    onTestFinished(() => kit.close());
    const place = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
    const places = fc.array(place, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ dropAt: places, cutAt: places, closeAt: places, duplicate: places }),
        async (faults) => {
          const reconnect = { firstDelay: 0, longestDelay: 1, attempts: 50 };
          const client = kit.connect({
            fetch: faulty(kit.fetch, faults),
            reconnect,
            retry: { firstDelay: 0, longestDelay: 1 },
          });
          let text = '';
          for await (const piece of client.sendMessageStream('go').textStream) text += piece;
          expect(text).toBe(TEXT);
        },
      ),
      { numRuns: 40 },
    );
  });
});
