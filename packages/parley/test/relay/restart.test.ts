import { setTimeout } from 'node:timers/promises';
import { A2AClient, A2AServer, defineAgent, isTask, type Part, textOf } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { tempFile } from '../support/temp-folder.ts';
import { heard, type Participant, participant } from './support/participant.ts';
import { RelayProcess } from './support/process.ts';
import { startRelay } from './support/relay.ts';
import { expectedTalk, partsOf, saidIn, talk } from './support/talk.ts';
import { watched } from './support/watching.ts';

const LONG = 120_000;

/** The whole talk of so many turns in its order: a1, b0 with which b joins, b1, a2, b2, a3, … */
function transcript(turns: number): readonly (readonly Part[])[] {
  const rest = Array.from({ length: turns }, (_, index) => index + 1).flatMap((turn) => [
    partsOf('b', turn),
    ...(turn < turns ? [partsOf('a', turn + 1)] : []),
  ]);
  return [partsOf('a', 1), partsOf('b', 0), ...rest];
}

async function running(): Promise<RelayProcess> {
  const relay = new RelayProcess(tempFile('relay.db'));
  await relay.start();
  return relay;
}

async function restart(relay: RelayProcess): Promise<void> {
  await relay.kill();
  await relay.start();
}

/** How many messages there are; none while nobody answers. */
async function lengthOf(page: string): Promise<number> {
  const seen = await watched(page, (_, standing) => standing !== undefined).catch(() => undefined);
  return seen?.messages.length ?? 0;
}

/** Takes a moment before it speaks, so that there are moments to be killed in. */
function paced(one: Participant): Participant {
  return {
    say: async (content) => {
      await setTimeout(20);
      return one.say(content);
    },
  };
}

/** Both sides keep at it while the server is away. */
const OFTEN = { attempts: 60, firstDelay: 50, longestDelay: 500 };
const PATIENT = { reconnect: OFTEN, retry: OFTEN };

describe('a relay that is killed', () => {
  it(
    'goes on with every turn, whenever it happens, and nothing is lost or doubled',
    async () => {
      const relay = await running();
      const turns = 20;
      const page = `${relay.url}/pairs/pair`;
      const a = await participant(relay.url, 'pair', 'stream', PATIENT);
      const b = await participant(relay.url, 'pair', 'stream', { ...PATIENT, prefer: { version: '0.3' } });
      let isOver = false;
      const talking = talk(page, paced(a), paced(b), turns).finally(() => {
        isOver = true;
      });
      let kills = 0;
      // After each few messages, while others are on their way.
      for (let seen = 1; !isOver && seen < 2 * turns; seen += 5, kills += 1) {
        await eventually(() => lengthOf(page)).toBeGreaterThanOrEqual(seen);
        await restart(relay);
      }
      expect(await talking).toEqual(expectedTalk(turns));
      expect(kills).toBeGreaterThan(4);

      const whole = transcript(turns);
      const { messages } = await watched(page, (all) => all.length === whole.length);
      expect(messages.map(({ parts }) => parts)).toEqual(whole);
      const client = await A2AClient.connect(relay.url);
      expect(saidIn(await client.getTask(a.taskId))).toEqual(expectedTalk(turns).b);
    },
    LONG,
  );

  it(
    'knows after any number of restarts who waits for whom',
    async () => {
      const relay = await running();
      const client = await A2AClient.connect(relay.url, PATIENT);
      const a = await client.sendMessage('one', { contextId: 'pair', returnImmediately: true });
      if (!isTask(a)) throw new Error('A task was expected');
      await eventually(async () => (await fetch(`${relay.url}/pairs/pair`)).text()).toContain('message-1');
      // More often than a run that does nothing is usually taken up.
      for (let times = 0; times < 7; times += 1) await restart(relay);
      expect((await client.getTask(a.id)).status.state).toBe('working');

      const b = await client.sendMessage('here', { contextId: 'pair' });
      if (!isTask(b)) throw new Error('A task was expected');
      expect(textOf(heard(b))).toBe('one');
      await restart(relay);
      await expect(client.sendMessage('out of turn', { taskId: a.id })).rejects.toMatchObject({
        code: 'UNSUPPORTED_OPERATION',
      });
      expect(await client.sendMessage('May I?', { contextId: 'pair' })).toMatchObject({
        status: { state: 'rejected' },
      });

      await client.sendMessage('two', { taskId: b.id, returnImmediately: true });
      await eventually(async () => (await client.getTask(a.id)).status.state).toBe('input-required');
      await restart(relay);
      const task = await client.getTask(a.id);
      expect(textOf(heard(task))).toBe('two');
      // Said once, although the run that said it began several times.
      expect(task.history.map(({ parts }) => textOf(parts)).filter((said) => said === 'here')).toHaveLength(1);
      expect(await relay.stop()).toBe(0);
    },
    LONG,
  );
});

/** Stands in for the relay's agent and does nothing, until it is told to stop. */
const idle = defineAgent({
  name: 'parley-bridge',
  description: 'Waits',
  version: '1.0.0',
  resumable: true,
  run: ({ signal }) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

it('ends what a crash has left half ended', async () => {
  const file = tempFile('relay.db');
  const first = await startRelay(sqlite(file));
  const before = await A2AClient.connect(first.url);
  const a = await before.sendMessage('one', { contextId: 'pair', returnImmediately: true });
  await eventually(async () => (await fetch(`${first.url}/pairs/pair`)).text()).toContain('message-1');
  const b = await before.sendMessage('here', { contextId: 'pair' });
  if (!isTask(a) || !isTask(b)) throw new Error('Tasks were expected');
  await first.stop();
  // A server without the relay's eyes, as one is that dies right after the commit.
  const blind = new A2AServer({ agents: [idle], store: sqlite(file), drainTimeout: 0 });
  await blind.listen({ port: 0 });
  const meanwhile = await A2AClient.connect(blind.url ?? '');
  await meanwhile.cancelTask(a.id);
  expect((await meanwhile.getTask(b.id)).status.state).toBe('input-required');
  await blind.close();

  const { url } = await startRelay(sqlite(file));
  const client = await A2AClient.connect(url);
  await eventually(async () => (await client.getTask(b.id)).status).toMatchObject({
    state: 'canceled',
    message: { parts: [{ text: 'The other side has left, so this talk is over.' }] },
  });
});

it('keeps its talks apart across restarts (S4.7)', async () => {
  const file = tempFile('relay.db');
  const send = async (url: string, text: string, returnImmediately: boolean) => {
    const task = await (await A2AClient.connect(url)).sendMessage(text, { contextId: 'pair', returnImmediately });
    if (!isTask(task)) throw new Error('A task was expected');
    return task;
  };
  const first = await startRelay(sqlite(file));
  const alone = await send(first.url, 'one', true);
  await eventually(async () => (await fetch(`${first.url}/pairs/pair`)).text()).toContain('message-1');
  await (await A2AClient.connect(first.url)).cancelTask(alone.id);
  await first.stop();

  const second = await startRelay(sqlite(file));
  await send(second.url, 'again', true);
  await eventually(async () => (await fetch(`${second.url}/pairs/pair`)).text()).toContain('message-2');
  await second.stop();

  const { url } = await startRelay(sqlite(file));
  const joined = await send(url, 'here', false);
  expect([joined.status.state, textOf(joined.status.message?.parts ?? [])]).toEqual(['input-required', 'again']);
  const { messages } = await watched(`${url}/pairs/pair`, (all) => all.length === 3);
  expect(messages.map(({ epoch, side }) => [epoch, side])).toEqual([
    [1, 'a'],
    [2, 'a'],
    [2, 'b'],
  ]);
});
