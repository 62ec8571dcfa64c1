import type { JsonObject } from '../../../../model/basics/json.ts';
import { A2AError, isA2AError } from '../../../../model/errors/errors.ts';
import { sleep } from '../../../call/timing.ts';
import type { Awaitable } from '../../../options.ts';
import { safeAddress } from '../addresses.ts';
import { checkPage, type Flow, type FlowRequest } from './flow.ts';

/** The instructions for a person: to visit a page, on any device, and to type a code there. */
export interface DeviceCode {
  readonly userCode: string;
  readonly verificationUri: string;
  /** The page with the code in its address. */
  readonly verificationUriComplete: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface DeviceCodeOptions {
  /** Shows the code to a person. */
  readonly onCode: (code: DeviceCode) => Awaitable<void>;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const LONGEST_USER_CODE = 64;
const DEFAULT_INTERVAL_S = 5;
/** The time that `slow_down` adds (RFC 8628 §3.5). */
const SLOWER_BY_S = 5;
const LONGEST_INTERVAL_S = 60;
/** A code with a longer lifetime is still given up. */
const LONGEST_LIFE_S = 1800;

/** A person allows it on another device, or in another window (RFC 8628). */
export function deviceCode({ onCode }: DeviceCodeOptions): Flow {
  return {
    name: 'deviceCode',
    async run(request) {
      const { endpoints, post, scope, resource } = request;
      if (!endpoints.deviceUrl) throw new A2AError('UNAUTHENTICATED', 'There is no address for device codes');
      const begun = readDevice(await post(endpoints.deviceUrl, { ...scope, ...resource }), request);
      await onCode(begun.code);
      return poll(begun, request);
    },
  };
}

interface Begun {
  readonly code: DeviceCode;
  readonly deviceCode: string;
  /** Seconds. */
  readonly interval: number;
}

function readDevice(body: JsonObject, request: FlowRequest): Begun {
  const { endpoints, near, timing } = request;
  const { origin } = endpoints.tokenUrl;
  const { device_code: device, user_code: userCode, expires_in: life, interval = DEFAULT_INTERVAL_S } = body;
  const isCode = typeof userCode === 'string' && userCode !== '' && userCode.length <= LONGEST_USER_CODE;
  if (typeof device !== 'string' || device === '' || !isCode) {
    throw new A2AError('INVALID_RESPONSE', `${origin} gives no code for a person to type`);
  }
  const page = (value: unknown) => {
    const address = safeAddress(value, `The page of ${origin} for the code`, near);
    checkPage(address, request);
    return address.href;
  };
  const complete = body.verification_uri_complete;
  const seconds = Number(life) > 0 ? Math.min(Number(life), LONGEST_LIFE_S) : LONGEST_LIFE_S;
  return {
    deviceCode: device,
    interval: Number(interval) >= 1 ? Math.min(Number(interval), LONGEST_INTERVAL_S) : DEFAULT_INTERVAL_S,
    code: {
      userCode,
      verificationUri: page(body.verification_uri ?? body.verification_url),
      verificationUriComplete: complete === undefined ? undefined : page(complete),
      expiresAt: timing.now() + seconds * 1000,
    },
  };
}

async function poll({ code, deviceCode, interval }: Begun, request: FlowRequest): Promise<JsonObject> {
  const { endpoints, post, resource, timing, signal } = request;
  const form = { grant_type: GRANT, device_code: deviceCode, ...resource };
  let pause = interval;
  for (;;) {
    await sleep(timing, pause * 1000, signal);
    if (timing.now() >= code.expiresAt) throw new A2AError('UNAUTHENTICATED', 'The code was not used in time');
    try {
      return await post(endpoints.tokenUrl, form);
    } catch (error) {
      if (!isA2AError(error)) throw error;
      const isAway = error.code === 'UNREACHABLE' || error.code === 'TIMEOUT' || (error.httpStatus ?? 0) >= 500;
      if (error.reason === 'slow_down') pause = Math.min(pause + SLOWER_BY_S, LONGEST_INTERVAL_S);
      else if (isAway) pause = Math.min(pause * 2, LONGEST_INTERVAL_S);
      else if (error.reason !== 'authorization_pending') throw explained(error);
    }
  }
}

function explained(error: A2AError): A2AError {
  const { reason, httpStatus } = error;
  if (reason !== 'access_denied' && reason !== 'expired_token') return error;
  const problem = reason === 'access_denied' ? 'The person did not allow it' : 'The code was not used in time';
  return new A2AError('UNAUTHENTICATED', problem, { cause: error, reason, httpStatus });
}
