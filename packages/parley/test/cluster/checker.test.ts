import { type ClusterFault, type ClusterLogEntry, checkClusterLog } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';

type Event = ClusterLogEntry & { readonly kind: 'event' };

const event = (client: string, seq: number, digest = `d${seq}`, what: Event['what'] = 'artifact'): Event => ({
  kind: 'event',
  client,
  taskId: 't',
  position: String(seq),
  what,
  digest,
});
const ended = (client: string): ClusterLogEntry => ({
  kind: 'ended',
  client,
  taskId: 't',
  state: 'completed',
  text: 'x',
});
const commit = (node: string, lease: number, from: number, to: number): ClusterLogEntry => ({
  kind: 'commit',
  node,
  taskId: 't',
  lease,
  from,
  to,
});

/** One task with a sender, whose connection is lost once, a watcher, two nodes, and a last look. */
const SOUND: readonly ClusterLogEntry[] = [
  { kind: 'sent', client: 'a', messageId: 'm', expects: 'x' },
  { kind: 'opened', client: 'a' },
  { kind: 'acknowledged', client: 'a', messageId: 'm', taskId: 't' },
  event('a', 3, 'whatever', 'task'),
  event('a', 4),
  { kind: 'opened', client: 'b', after: '0' },
  event('b', 3),
  event('b', 4),
  { kind: 'lost', client: 'a', operation: 'sendStreamingMessage', code: 'UNREACHABLE' },
  { kind: 'opened', client: 'a', after: '4' },
  event('a', 6),
  event('b', 6),
  event('a', 7, 'end', 'status'),
  event('b', 7, 'end', 'status'),
  ended('a'),
  ended('b'),
  commit('n1', 1, 0, 3),
  commit('n1', 1, 3, 5),
  commit('n2', 2, 5, 5),
  commit('n2', 2, 5, 7),
  { kind: 'task', taskId: 't', state: 'completed', messageIds: ['m'], text: 'x' },
  { kind: 'opened', client: 'last', after: '0' },
  event('last', 3),
  event('last', 4),
  event('last', 6),
  event('last', 7, 'end', 'status'),
  ended('last'),
];

const without = (isGone: (entry: ClusterLogEntry) => boolean) => SOUND.filter((entry) => !isGone(entry));
const withMore = (...more: readonly ClusterLogEntry[]) => [...SOUND, ...more];
const changed = (index: number, entry: ClusterLogEntry) => SOUND.toSpliced(index, 1, entry);
const indexOf = (isIt: (entry: ClusterLogEntry) => boolean) => SOUND.findIndex(isIt);
const isEvent = (client: string, position: string) => (entry: ClusterLogEntry) =>
  entry.kind === 'event' && entry.client === client && entry.position === position;
const isTask = (entry: ClusterLogEntry) => entry.kind === 'task';

const BROKEN: readonly (readonly [string, ClusterFault, readonly ClusterLogEntry[], RegExp])[] = [
  [
    'a message that is not in its task',
    'message-lost',
    changed(indexOf(isTask), { kind: 'task', taskId: 't', state: 'completed', messageIds: [], text: 'x' }),
    /Task t lacks message m.*client a/,
  ],
  [
    'a message that is twice in its task',
    'message-doubled',
    changed(indexOf(isTask), { kind: 'task', taskId: 't', state: 'completed', messageIds: ['m', 'm'], text: 'x' }),
    /Task t has a message twice/,
  ],
  [
    'a message that led to two tasks',
    'message-doubled',
    withMore(
      { kind: 'acknowledged', client: 'a', messageId: 'm', taskId: 'u' },
      { kind: 'task', taskId: 'u', state: 'completed', messageIds: ['m'], text: 'x' },
    ),
    /Message m is in task t and in task u/,
  ],
  [
    'a task that is gone',
    'task-missing',
    changed(indexOf(isTask), { kind: 'task', taskId: 't', state: 'missing', messageIds: [], text: '' }),
    /Task t does not exist, though client a/,
  ],
  [
    'a task that nobody found',
    'task-missing',
    withMore({ kind: 'acknowledged', client: 'c', messageId: 'n', taskId: 'u' }),
    /Task u does not exist, though client c/,
  ],
  [
    'a task that nobody works on',
    'task-unfinished',
    withMore({ kind: 'task', taskId: 'u', state: 'working', messageIds: [], text: '' }),
    /Task u is still working/,
  ],
  ['an event left out', 'event-missing', without(isEvent('a', '6')), /Client a went from 4 to 7 without 6 of task t/],
  ['an event gone from the log', 'event-missing', without(isEvent('last', '6')), /Client last .* without 6/],
  [
    'an event that came twice',
    'event-repeated',
    SOUND.toSpliced(indexOf(isEvent('a', '6')), 0, event('a', 4)),
    /Client a saw 4 after 4 of task t/,
  ],
  [
    'events in another order',
    'event-repeated',
    SOUND.toSpliced(indexOf(isEvent('a', '7')), 0, event('a', 4)),
    /Client a saw 4 after 6/,
  ],
  [
    'another event in its place',
    'event-differs',
    changed(indexOf(isEvent('b', '6')), event('b', 6, 'other')),
    /Client b saw another event at 6 than a/,
  ],
  [
    'an id that is no position',
    'position-unreadable',
    SOUND.toSpliced(indexOf(isEvent('a', '6')), 0, { ...event('a', 5), position: 'x; DROP' }),
    /Client a was sent a frame with the id "x; DROP"/,
  ],
  [
    'a stream that begins again',
    'stream-restarted',
    SOUND.toSpliced(indexOf(isEvent('a', '6')), 0, event('a', 5, 'd', 'task')),
    /Client a asked for what follows 4 and was shown the task at 5/,
  ],
  [
    'a stream that goes back in time',
    'stream-restarted',
    SOUND.toSpliced(indexOf(isEvent('a', '6')), 0, { kind: 'opened', client: 'a' }, event('a', 3, 'd', 'task')),
    /Client a had seen 4 and was shown the task at 3/,
  ],
  ['a stream that ends early', 'stream-incomplete', without(isEvent('b', '7')), /Client b .* at 6, but .* at 7/],
  [
    'a stream that ends while its task works',
    'stream-incomplete',
    withMore({ kind: 'ended', client: 'b', taskId: 't', state: 'working', text: 'x' }),
    /Client b took its stream for complete while working/,
  ],
  [
    'another end',
    'state-differs',
    withMore({ kind: 'ended', client: 'b', taskId: 't', state: 'failed', text: 'x' }),
    /Client b saw task t end failed, but it is completed/,
  ],
  [
    'another text',
    'text-differs',
    withMore({ kind: 'ended', client: 'b', taskId: 't', state: 'completed', text: 'y' }),
    /Client b was given another text/,
  ],
  [
    'a text that nobody asked for',
    'text-differs',
    changed(0, { kind: 'sent', client: 'a', messageId: 'm', expects: 'y' }),
    /Task t is completed with another text than message m asks for/,
  ],
  [
    'a client that failed',
    'client-gave-up',
    withMore({ kind: 'gave-up', client: 'c', error: 'X' }),
    /Client c gave up: X/,
  ],
  [
    'a client that was never done',
    'client-unfinished',
    without((entry) => entry === SOUND[15]),
    /Client b neither came/,
  ],
  ['one place with two writers', 'two-writers', withMore(commit('n1', 3, 6, 7)), /Nodes n2 and n1 both wrote 7 to 7/],
  [
    'one lease with two holders',
    'two-writers',
    withMore(commit('n1', 2, 7, 8)),
    /n2 and n1 both wrote .* under lease 2/,
  ],
  [
    'a node that writes after its lease was taken',
    'stale-writer',
    withMore(commit('n1', 1, 7, 8)),
    /Node n1 wrote task t from 7 to 8 under lease 1, after n2 held lease 2/,
  ],
];

describe('the checker of a cluster', () => {
  it('finds nothing in a sound log, and counts what it looked at', async () => {
    for (const parts of [1, 7]) {
      expect(await checkClusterLog(() => SOUND, { parts })).toEqual({
        findings: [],
        count: 0,
        seen: {
          tasks: 1,
          clients: 3,
          acknowledged: 1,
          events: 12,
          reconnects: 1,
          commits: 4,
          states: { completed: 1 },
        },
      });
    }
  });

  it.each(BROKEN)('finds %s: %s', async (_, fault, log, text) => {
    for (const parts of [1, 5]) {
      const { findings, count } = await checkClusterLog(() => log, { parts });
      expect(findings.map((one) => one.fault)).toContain(fault);
      expect(findings.map((one) => one.text).join('\n')).toMatch(text);
      expect(findings).toHaveLength(count);
    }
  });

  it('misses no task where nobody looked, and takes the events of others for the log', async () => {
    const unseen = SOUND.filter((entry) => !isTask(entry) && !('client' in entry && entry.client === 'last'));
    expect((await checkClusterLog(() => unseen)).findings).toEqual([]);
    const { findings } = await checkClusterLog(() => unseen.filter((entry) => !isEvent('b', '4')(entry)));
    expect(findings).toMatchObject([{ fault: 'event-missing', taskId: 't', client: 'b', positions: ['4'] }]);
  });

  it('lets a client begin anew with the task, where it asks for no position', async () => {
    const at = indexOf(isEvent('a', '6'));
    const anew = SOUND.toSpliced(at, 1, { kind: 'opened', client: 'a' }, event('a', 6, 'd', 'task'));
    expect((await checkClusterLog(() => anew)).findings).toEqual([]);
  });

  it('holds a bounded number of findings, and counts the rest', async () => {
    const gone = Array.from({ length: 2500 }, (_, number) => ({
      kind: 'gave-up' as const,
      client: `${number}`,
      error: 'X',
    }));
    const { findings, count } = await checkClusterLog(() => gone);
    expect([findings.length, count]).toEqual([1000, 2500]);
  });

  it('reads logs of any source, and refuses parts that are no number', async () => {
    async function* slowly() {
      yield* SOUND;
    }
    expect((await checkClusterLog(slowly)).count).toBe(0);
    await expect(checkClusterLog(() => SOUND, { parts: 0 })).rejects.toThrow('parts is a number from 1 on, not 0');
  });
});
