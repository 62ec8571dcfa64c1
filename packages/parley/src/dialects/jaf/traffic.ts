import type { TrafficLimits } from '../../model/traffic-limits.ts';

const SECOND = 1000;

/** The limits of a mount of JAF, where the settings have none (seed S1.10). */
export const TRAFFIC: Partial<TrafficLimits> = {
  rate: { requests: 100, window: 60 * SECOND, burst: 20 },
  requestsPerCaller: 10,
  tasksPerContext: 5,
  sendTimeout: 30 * SECOND,
  streamTimeout: 600 * SECOND,
  longestTimeout: 300 * SECOND,
};
