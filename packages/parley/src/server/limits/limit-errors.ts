import { A2AError } from '../../model/errors/errors.ts';
import type { RateLimit } from '../../model/traffic-limits.ts';
import type { FailureLimit } from './failures/failed-credentials.ts';
import type { RateState } from './rates/rate-store.ts';

/** Milliseconds that a client should wait if nothing tells when a limit lets requests pass again. */
const A_MOMENT = 1000;

/** The error of a request that a limit refuses. `limit`: its name in the settings. */
function limitError(limit: string, message: string, retryAfter: number, facts?: Readonly<Record<string, string>>) {
  return new A2AError('OVERLOADED', message, {
    retryAfter,
    metadata: { limit, ...facts, retryAfter: String(Math.ceil(retryAfter / 1000)) },
  });
}

export function rateExceeded({ requests, window, burst }: RateLimit, state: RateState): A2AError {
  const isBurst = state.exceeded === 'burst';
  const wait = Math.max(1, isBurst ? (state.burstReset ?? 0) : state.reset);
  const quota = isBurst ? `${burst} requests within one second` : `${requests} requests within ${seconds(window)}`;
  const text = `Too many requests: one caller may make ${quota}. Try again in ${seconds(wait)}`;
  return limitError('rate', text, wait, { quota: isBurst ? 'burst' : 'requests' });
}

export function tooManyRequests(most: number): A2AError {
  const text = `Too many requests at once: of one caller ${most} may be at work. Try again when one is answered`;
  return limitError('requestsPerCaller', text, A_MOMENT);
}

export function tooManyStreams(most: number): A2AError {
  const text = `Too many streams at once: of one caller ${most} may be open. Close one, or wait until one has ended`;
  return limitError('streamsPerCaller', text, A_MOMENT);
}

/** Tells nothing of the credential, which was not looked at. `wait`: milliseconds until credentials are checked again. */
export function tooManyFailures({ attempts, window }: FailureLimit, wait: number): A2AError {
  const text = `Too many wrong credentials: ${attempts} within ${seconds(window)} came from your address. Try again in ${seconds(wait)}`;
  return limitError('failedCredentials', text, wait);
}

/** The server as a whole is busy, for any caller and any request. */
export function tooMuchLoad(): A2AError {
  const metadata = { limit: 'load', retryAfter: String(A_MOMENT / 1000) };
  return new A2AError('UNAVAILABLE', 'The server is busy. Try again in a moment', { metadata, retryAfter: A_MOMENT });
}

function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / 1000);
  return count === 1 ? 'one second' : `${count} seconds`;
}
