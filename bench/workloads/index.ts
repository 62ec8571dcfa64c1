import { adapterSends, adapterStreams } from './adapters.ts';
import { grpc } from './grpc.ts';
import { listDeep, listFirst } from './list.ts';
import { getWhileStreaming } from './mixed.ts';
import { models } from './models.ts';
import { overload } from './overload.ts';
import { postgres } from './postgres.ts';
import { getWhilePurging } from './purge.ts';
import { getTasks, sendMessage, sendWithRate, sendWithToken } from './requests.ts';
import { whileReplaying } from './streams/replays.ts';
import { neverReads } from './streams/slow-reader.ts';
import { freeStreams, longStreams, pacedStreams } from './streams/streams.ts';
import { fanOut, idleSubscribers } from './streams/subscribers.ts';
import { untoldTelemetry } from './telemetry.ts';
import { webhooks } from './webhooks.ts';
import type { Workload } from './workload.ts';

/** In the order of the table. */
export const ALL_WORKLOADS: readonly Workload[] = [
  sendMessage,
  sendWithToken,
  sendWithRate,
  ...untoldTelemetry,
  getTasks,
  pacedStreams,
  freeStreams,
  ...longStreams,
  fanOut,
  listFirst,
  listDeep,
  idleSubscribers,
  neverReads,
  ...getWhileStreaming,
  ...whileReplaying,
  getWhilePurging,
  overload,
  ...webhooks,
  ...postgres,
  ...models,
  ...grpc,
  adapterSends,
  adapterStreams,
];

/** Those whose name begins with one of the beginnings, or is the one after `=`; all where there are none. */
export function chosenWorkloads(beginnings: readonly string[]): readonly Workload[] {
  if (beginnings.length === 0) return ALL_WORKLOADS;
  return ALL_WORKLOADS.filter(({ name }) =>
    beginnings.some((start) => (start.startsWith('=') ? name === start.slice(1) : name.startsWith(start))),
  );
}
