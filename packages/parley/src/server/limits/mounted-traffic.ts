import type { Clock, Logger, RateFacet } from '../../engine/ports.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from '../../model/traffic-limits.ts';
import type { A2AServerOptions } from '../options.ts';
import type { ResolvedMount } from '../routing/mounts.ts';
import type { Limiter } from './limiter.ts';
import type { ServerLimits } from './limits.ts';
import { LoadGauge } from './load/load-gauge.ts';
import { SharedRates } from './rates/shared-rates.ts';
import { Traffic } from './traffic.ts';
import { withServerTraffic } from './traffic-settings.ts';

/** The limits of callers, and the stages of the pipeline that hold them. */
export interface MountedTraffic {
  /** For addresses outside mounts. */
  readonly limits: TrafficLimits;
  /** Empty where there is nothing to count: a request then costs nothing. */
  readonly limiters: readonly Limiter[];
  /** Undefined where any load is taken on. */
  readonly load: LoadGauge | undefined;
}

interface TrafficSurroundings {
  readonly mounts: readonly ResolvedMount[];
  readonly limits: ServerLimits;
  /** Counts of nodes that share a store. */
  readonly rates?: RateFacet | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Makes the limits of callers from the settings. */
export function trafficOf(
  { limits: given = {}, trustProxy }: Pick<A2AServerOptions, 'limits' | 'trustProxy'>,
  { mounts, limits: inputLimits, rates, clock, log }: TrafficSurroundings,
): MountedTraffic {
  const limits = withServerTraffic(DEFAULT_TRAFFIC_LIMITS, given);
  const { perCaller } = given;
  const rateStore = given.rateStore ?? (rates && new SharedRates(rates));
  const load = given.load && new LoadGauge(given.load, clock);
  const all = [limits, ...mounts.flatMap(({ traffic = [] }) => traffic)];
  if (perCaller === undefined && !all.some(needsCounting)) return { limits, load, limiters: [] };
  const traffic = new Traffic({ limits, inputLimits, perCaller, rateStore, trustProxy, clock, log });
  return { limits, load, limiters: [traffic.limiter] };
}

function needsCounting({ rate, requestsPerCaller, streamsPerCaller }: TrafficLimits): boolean {
  return rate !== undefined || requestsPerCaller !== Infinity || streamsPerCaller !== Infinity;
}
