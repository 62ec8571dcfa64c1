import { type OwnBytes, ownBytes } from '../../model/basics/bytes.ts';
import { ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../signature/headers.ts';
import { hmacKey } from '../signature/secrets.ts';
import { signedBytes } from '../signature/sign.ts';
import { ed25519PublicKey } from '../signature/signing-keys.ts';
import { type PushNotification, readNotification } from './notification.ts';
import { DEFAULT_BODY_BYTES, DEFAULT_TOLERANCE, keysOf, type VerifyOptions } from './options.ts';
import { PushError } from './push-error.ts';
import { bodyOf, headerOf, type ReceivedHeaders, type ReceivedRequest } from './received-request.ts';
import { RemotePushKeys } from './remote-keys.ts';
import { isSignedBy, readSignatures } from './signatures.ts';
import { tokenOf, verifyToken } from './token.ts';

const LONGEST_ID = 256;

/** The id and the time of a notification, as its headers say and a signature proves. */
interface Proved {
  readonly id: string;
  /** In seconds since the epoch. */
  readonly timestamp: number;
}

/**
 * Checks the signature and the age of a webhook's request, and reads its event. Throws a `PushError` whose code says what is
 * wrong; a TypeError for options that are wrong. A request that is sent twice is taken twice: `pushReceiver` drops the second.
 *
 * @example
 * const { event, taskId } = await verifyPush(request, { secret: process.env.WEBHOOK_SECRET });
 */
export async function verifyPush(request: ReceivedRequest, options: VerifyOptions): Promise<PushNotification> {
  const { bodyBytes = DEFAULT_BODY_BYTES } = options;
  const prove = proverOf(options);
  if (!prove) throw new TypeError('verifyPush needs one of secret, publicKey, jwksUrl');
  const { headers } = request;
  prove.check(headers);
  const body = await bodyOf(request, bodyBytes);
  return readNotification(headers, body, await prove.verify(headers, body));
}

export interface Prover {
  /** Checks what can be seen without the body. */
  check(headers: ReceivedHeaders): void;
  verify(headers: ReceivedHeaders, body: Uint8Array): Promise<Proved>;
}

/** The checks of one set of options; undefined where it has no keys. */
export function proverOf(options: VerifyOptions): Prover | undefined {
  const { tolerance = DEFAULT_TOLERANCE, now = Date.now, issuer, audience } = options;
  const { secrets, publicKeys, jwksUrl } = keysOf(options);
  if (secrets.length === 0 && publicKeys.length === 0 && jwksUrl === undefined) return undefined;
  const remote = jwksUrl === undefined ? undefined : remoteKeysOf(jwksUrl, options);

  const verifyHeaders = async (headers: ReceivedHeaders, body: Uint8Array): Promise<Proved> => {
    const content = claimedContent(headers);
    const signatures = readSignatures(headerOf(headers, SIGNATURE_HEADER) ?? '');
    const signed: OwnBytes = signedBytes({ ...content, body });
    const keys = await Promise.all([...secrets.map(hmacKey), ...publicKeys.map(ed25519PublicKey)]);
    if (await isSignedBy(keys, signatures, signed)) return content;
    for (const isAgain of remote ? [false, true] : []) {
      if (remote && (await isSignedBy(await remote.ed25519Keys(isAgain), signatures, signed))) return content;
    }
    throw new PushError('WRONG_SIGNATURE', `No signature in ${SIGNATURE_HEADER} is right`);
  };

  return {
    check(headers) {
      if (remote && tokenOf(headers) !== undefined) return;
      checkAge(claimedContent(headers), tolerance, now());
      if (headerOf(headers, SIGNATURE_HEADER) === undefined) throw missing(SIGNATURE_HEADER);
    },
    async verify(headers, body) {
      const token = remote && tokenOf(headers);
      if (!remote || token === undefined) return verifyHeaders(headers, body);
      const rules = { issuer, audience, now: now() };
      const proved = await verifyToken(token, ownBytes(body), remote, rules);
      checkAge(proved, tolerance, now());
      // Replays are known by the id, so it must be the one that was signed.
      const id = headerOf(headers, ID_HEADER);
      if (id !== undefined && id !== proved.id)
        throw new PushError('WRONG_SIGNATURE', `The JWT is not about this ${ID_HEADER}`);
      return proved;
    },
  };
}

/** The keys of addresses, between the calls of `verifyPush`. */
const REMOTE = /* @__PURE__ */ new Map<string, RemotePushKeys>();
const MOST_REMOTE = 100;

/** Keys are kept between calls, unless a call brings its own ways to get them. */
function remoteKeysOf(url: string, { fetch, now }: VerifyOptions): RemotePushKeys {
  const known = fetch || now ? undefined : REMOTE.get(url);
  if (known) return known;
  const keys = new RemotePushKeys(url, fetch ?? ((...request) => globalThis.fetch(...request)), now ?? Date.now);
  if (REMOTE.size >= MOST_REMOTE) REMOTE.clear();
  if (!fetch && !now) REMOTE.set(url, keys);
  return keys;
}

function claimedContent(headers: ReceivedHeaders): Proved {
  const id = headerOf(headers, ID_HEADER);
  if (id === undefined) throw missing(ID_HEADER);
  if (id === '' || id.length > LONGEST_ID || id.includes('.')) {
    throw new PushError('INVALID_HEADER', `${ID_HEADER} must have 1 to ${LONGEST_ID} characters and no dot`);
  }
  const time = headerOf(headers, TIMESTAMP_HEADER);
  if (time === undefined) throw missing(TIMESTAMP_HEADER);
  if (!/^\d{1,12}$/.test(time))
    throw new PushError('INVALID_HEADER', `${TIMESTAMP_HEADER} must be a time in whole seconds`);
  return { id, timestamp: Number(time) };
}

function checkAge({ timestamp }: Proved, tolerance: number, now: number): void {
  const age = now / 1000 - timestamp;
  if (age > tolerance) throw new PushError('TOO_OLD', `The notification is more than ${tolerance} seconds old`);
  if (-age > tolerance)
    throw new PushError('TOO_NEW', `The notification is more than ${tolerance} seconds in the future`);
}

function missing(name: string): PushError {
  return new PushError('INVALID_HEADER', `The header ${name} is missing`);
}
