import { send } from '../load/requests.ts';
import { CONNECTIONS, requests } from './requests.ts';
import type { Lookup, Workload } from './workload.ts';

/** A trace that every request is part of. */
const TRACEPARENT = 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n';
const MOST = 1.03;

/** The mean of both processes of the whole server, by the one that telemetry is cut out of. */
function cost(look: Lookup, workload: string): number | undefined {
  const [one, again, cut] = [look(workload, 'told'), look(workload, 'told-again'), look(workload, 'untold')];
  return one === undefined || again === undefined || cut === undefined ? undefined : (one + again) / 2 / cut;
}

function workload(name: string, title: string, limit: number | undefined, headers?: string): Workload {
  return {
    name,
    title: `${title}, ${CONNECTIONS} connections`,
    group: 'telemetry',
    unit: 'µs',
    servers: ['told', 'told-again', 'untold'],
    base: 'told',
    hasWarmUp: true,
    isFresh: true,
    usualRounds: 7,
    targets:
      limit === undefined
        ? []
        : [{ kind: 'told', label: '× untold', limit, bound: 'most', value: (look) => cost(look, name) }],
    measure: (server, { isQuick }) => requests(server, isQuick ? 2000 : 6000, () => send({ chunks: 1 }), headers),
  };
}

/** What telemetry costs where nothing is configured: nobody names a trace; or every request does, and it is kept and passed on. */
export const untoldTelemetry: readonly Workload[] = [
  workload('telemetry', 'SendMessage, no telemetry configured', MOST),
  workload('telemetry-traced', 'SendMessage with a traceparent, no telemetry configured', undefined, TRACEPARENT),
];
