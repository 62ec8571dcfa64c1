import type { ClientOptions } from '../../client/options.ts';
import { faulty } from '../faulty.ts';
import { digestOf } from './digest.ts';
import { lookAtTasks } from './final-look.ts';
import type { ClusterLog } from './log-entry.ts';
import { readToEnd, recordedClient, tell } from './recorded-client.ts';
import { seededRandom, spreadFetch } from './spread-fetch.ts';

/** A message to send. */
export interface ClusterMessage {
  readonly text: string;
  /** The text that the completed task must have, where it is known. */
  readonly expected?: string | undefined;
}

export interface ClusterClientsOptions {
  /** The address of the balancer, or the addresses of the nodes; each request goes to any of them. */
  readonly urls: readonly string[];
  /** Records what clients do and see. */
  readonly log: ClusterLog;
  /** Options of the clients, such as credentials, headers and timeouts. */
  readonly client?: ClientOptions | undefined;
  /** The number of tasks. Default 100. */
  readonly tasks?: number | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly atOnce?: number | undefined;
  /** Returns the message of the task with this number, from 0. Default `Cluster check 1`, `Cluster check 2` … */
  readonly message?: ((number: number) => ClusterMessage) | undefined;
  /** Decides which requests go where and which connections are cut. Default 1. */
  readonly seed?: number | undefined;
  /** The share of streams that lose their connection, from 0 to 1. Default 0.5. */
  readonly cuts?: number | undefined;
  /** Milliseconds after which the clients of an unfinished task give up. Default 5 minutes. */
  readonly patience?: number | undefined;
  /** The share of tasks that the clients cancel, from 0 to 1. Default 0.1. */
  readonly cancels?: number | undefined;
}

/** A stream is cut at the latest before this event. */
const LATEST_CUT = 12;
const USUAL_TASKS = 100;
const USUAL_AT_ONCE = 16;
const USUAL_PATIENCE_MS = 300_000;

/**
 * Clients of a cluster: each task is begun by one of them and watched from its beginning by another, both over connections
 * that are lost on the way. When all are done, every task is looked at once more. Nothing rejects: what fails is in the log.
 */
export async function runClusterClients(options: ClusterClientsOptions): Promise<void> {
  const { urls, tasks = USUAL_TASKS, atOnce = USUAL_AT_ONCE } = options;
  const [url] = urls;
  if (url === undefined) throw new TypeError('There is no address to send to');
  const taskIds = new Set<string>();
  const log: ClusterLog = (entry) => {
    if (entry.kind === 'acknowledged') taskIds.add(entry.taskId);
    options.log(entry);
  };
  let next = 0;
  const work = async () => {
    while (next < tasks) {
      next += 1;
      await runTask(next - 1, url, { ...options, log });
    }
  };
  await Promise.all(Array.from({ length: Math.min(tasks, atOnce) }, work));
  await lookAtTasks(taskIds, { url, log, client: { ...options.client, fetch: fetchOf(options, seededRandom(0)) } });
}

async function runTask(number: number, url: string, options: ClusterClientsOptions): Promise<void> {
  const { log, seed = 1, cancels = 0.1, patience = USUAL_PATIENCE_MS } = options;
  const signal = AbortSignal.timeout(patience);
  const random = seededRandom(seed * 1_000_003 + number);
  const { text, expected } = (options.message ?? usualMessage)(number);
  const [sender, watcher] = [`sender ${number}`, `watcher ${number}`];
  const cancelsIt = random() < cancels;
  const begun = Promise.withResolvers<string | undefined>();
  const client = recordedClient(url, {
    ...options.client,
    fetch: cutFetch(options, random),
    client: sender,
    log: (entry) => {
      log(entry);
      if (entry.kind === 'acknowledged') begun.resolve(entry.taskId);
    },
    expects: expected === undefined || cancelsIt ? undefined : digestOf(expected),
  });
  const sending = readToEnd(client.sendMessageStream(text, { signal }), { client: sender, log }).finally(() =>
    begun.resolve(undefined),
  );
  const taskId = await begun.promise;
  if (taskId !== undefined) {
    const settings = { ...options.client, fetch: cutFetch(options, random), client: watcher, log };
    const watching = recordedClient(url, settings);
    const stream = watching.subscribe(taskId, { lastEventId: 0, signal });
    await Promise.all([
      readToEnd(stream, { client: watcher, log, untilQuestion: true }),
      cancelsIt ? cancel(watching, taskId, watcher, log) : undefined,
    ]);
  }
  await sending;
}

/** A task that has ended by then is not canceled, which is no fault. */
async function cancel(
  client: ReturnType<typeof recordedClient>,
  taskId: string,
  name: string,
  log: ClusterLog,
): Promise<void> {
  await client.cancelTask(taskId).catch((error: unknown) => {
    log({ kind: 'lost', client: name, operation: 'cancelTask', code: tell(error) });
  });
}

function fetchOf({ urls, client }: ClusterClientsOptions, random: () => number): typeof fetch {
  return spreadFetch(urls, random, client?.fetch ?? ((input, init) => fetch(input, init)));
}

function cutFetch(options: ClusterClientsOptions, random: () => number): typeof fetch {
  const spread = fetchOf(options, random);
  const { cuts = 0.5 } = options;
  const dropAt = Array.from({ length: 2 }, () =>
    random() < cuts ? 2 + Math.floor(random() * (LATEST_CUT - 1)) : undefined,
  );
  return faulty(spread, { dropAt });
}

function usualMessage(number: number): ClusterMessage {
  return { text: `Cluster check ${number + 1}` };
}
