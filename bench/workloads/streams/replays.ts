import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Connection } from '../../load/connection.ts';
import { getTask, send } from '../../load/requests.ts';
import { call, percentiles } from '../../load/unary.ts';
import type { ServerProcess } from '../../server-process.ts';
import type { ServerKind, WatchedLoop } from '../../servers/protocol.ts';
import type { Sample, Target, Workload } from '../workload.ts';

const READERS = 40;
const EVENTS = 200_000;
const QUICK_EVENTS = 20_000;
/** Others rest so long after each response, in milliseconds: they are to notice a delay and not to make one. */
const REST = 5;
/** Nobody waits for longer, in milliseconds. */
const LONGEST_DELAY = 200;

interface Readers {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
}

/** The readers, in a process of their own. */
function startReaders(port: number, taskId: string, events: number): Readers {
  const file = fileURLToPath(new URL('../../load/replay-readers.ts', import.meta.url));
  const child = fork(file, [String(port), taskId, String(READERS)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  child.on('message', (message: { readonly type: string; readonly least?: number }) => {
    if (message.type === 'begun') begun.resolve();
    else if ((message.least ?? 0) >= events) ended.resolve();
    else ended.reject(new Error(`A reader got ${message.least} of ${events} events`));
  });
  child.once('exit', (code) => {
    const early = new Error(`The readers ended early, with ${code}`);
    begun.reject(early);
    ended.reject(early);
  });
  ended.promise.catch(() => {});
  return { begun: begun.promise, ended: ended.promise };
}

/** The delays of one caller, request after request, each on a new connection or all on one. */
async function delaysOf(
  port: number,
  body: () => string,
  isOver: () => boolean,
  isNew: boolean,
): Promise<readonly number[]> {
  const delays: number[] = [];
  let connection = await Connection.open(port);
  while (!isOver()) {
    const started = performance.now();
    if (isNew) connection = await Connection.open(port);
    await connection.request(body(), () => {});
    delays.push(performance.now() - started);
    if (isNew) connection.close();
    await new Promise((resolve) => setTimeout(resolve, REST));
  }
  connection.close();
  return delays;
}

/** The long task of each server, which lasts over the rounds. */
const tasks = new WeakMap<ServerProcess, Promise<string>>();

async function newTask(port: number, chunks: number): Promise<string> {
  const { task } = (await call(port, send({ chunks }))) as { readonly task: { readonly id: string } };
  return task.id;
}

async function measure(
  server: ServerProcess,
  isQuick: boolean,
  body: (small: string) => () => string,
): Promise<Sample> {
  const { port } = server;
  const events = isQuick ? QUICK_EVENTS : EVENTS;
  if (!tasks.has(server)) tasks.set(server, newTask(port, events));
  const small = await newTask(port, 1);
  const readers = startReaders(port, (await tasks.get(server)) ?? '', events);
  await readers.begun;
  await server.ask('watch-turns');
  let isOver = false;
  const others = Promise.all([true, false, false].map((isNew) => delaysOf(port, body(small), () => isOver, isNew)));
  others.catch(() => {});
  await readers.ended;
  isOver = true;
  const delays = (await others).flat();
  const { loop } = await server.ask('usage');
  if (loop) console.error(` ${server.kind}: ${delays.length} others; the event loop: ${loopText(loop)}`);
  return { figure: Math.max(...delays), ...percentiles(delays) };
}

function loopText({ delay, turn, turnP99 }: WatchedLoop): string {
  const [late, longest, p99] = [delay, turn, turnP99].map((one) => one.toFixed(1));
  return `late by ${late} ms at most, turns of ${p99} ms of CPU time at p99 and ${longest} ms at most`;
}

function target(name: string, kind: ServerKind): Target {
  return { kind, label: 'ms', limit: LONGEST_DELAY, bound: 'most', value: (look) => look(name, kind) };
}

function replays(name: string, title: string, body: (small: string) => () => string): Workload {
  return {
    name,
    title,
    quickNote: `${QUICK_EVENTS} events`,
    group: 'replays',
    unit: 'ms',
    servers: ['memory', 'sqlite'],
    hasWarmUp: false,
    targets: [target(name, 'memory'), target(name, 'sqlite')],
    measure: (server, { isQuick }) => measure(server, isQuick, body),
  };
}

/** What others wait for while forty readers begin a long task again. */
export const whileReplaying: readonly Workload[] = [
  replays(
    'replays',
    'longest GetTask while 40 readers begin a task of 200,000 events again',
    (id) => () => getTask(id),
  ),
  replays('replays-send', 'longest SendMessage meanwhile', () => () => send({ chunks: 1 })),
];
