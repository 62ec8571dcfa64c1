import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HeldBytes } from '../../push/receive/held-bytes.ts';
import { nodeDelivery, respondNode } from '../../push/receive/node-delivery.ts';
import { RECEIVED, receiptOf } from '../../push/receive/receiver.ts';
import { RecentPushes } from '../../push/receive/recent-pushes.ts';
import { ID_HEADER } from '../../push/signature/headers.ts';
import { type PushNotification, readNotification } from '../../push/verify/notification.ts';
import { DEFAULT_BODY_BYTES, type VerifyOptions } from '../../push/verify/options.ts';
import { isPushError, PushError } from '../../push/verify/push-error.ts';
import { type BytesSeen, headerOf } from '../../push/verify/received-request.ts';
import { type Prover, proverOf } from '../../push/verify/verify.ts';
import { EXIT } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { stopped } from '../serve/stopped.ts';
import { CommandError } from '../show/problems.ts';
import { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';
import { greeting } from './greeting.ts';
import { NotificationLines } from './notification-lines.ts';

/** Receives notifications and prints them until it is told to stop. */
export async function listenForPushes(port: number, options: Options, surroundings: Surroundings): Promise<number> {
  const prover = readProver(options, surroundings.env);
  const screen = new Screen(surroundings, options.json);
  const lines = new NotificationLines(screen);
  const taking = { prover, lines, seen: new RecentPushes(), held: new HeldBytes() };
  const server = createServer((request, response) => void take(request, response, taking));
  const host = options.host ?? '127.0.0.1';
  await open(server, host, port);
  const address = server.address();
  const url = `http://${hostOf(host)}:${typeof address === 'object' ? address?.port : port}/`;
  if (screen.json) screen.object({ url });
  else
    screen.note(
      greeting({
        url,
        checks: prover !== undefined,
        hasSecret: secretsOf(options, surroundings.env).length > 0,
        program: surroundings.program,
      }),
    );
  await stopped(surroundings);
  server.closeAllConnections();
  server.close();
  return EXIT.done;
}

function secretsOf({ secret }: Options, { PARLEY_WEBHOOK_SECRET }: Surroundings['env']): readonly string[] {
  return secret ?? (PARLEY_WEBHOOK_SECRET ? [PARLEY_WEBHOOK_SECRET] : []);
}

function readProver(options: Options, env: Surroundings['env']): Prover | undefined {
  const keys: VerifyOptions = {
    secret: secretsOf(options, env),
    publicKey: options['public-key'] ?? [],
    jwksUrl: options.jwks,
  };
  try {
    return proverOf(keys);
  } catch (error) {
    throw new UsageError((error instanceof Error ? error.message : String(error)).replace('jwksUrl', '--jwks'));
  }
}

async function open(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    throw new CommandError(
      isTaken ? `Port ${port} is taken; --port 0 takes any free one` : `Cannot listen on ${host}: ${message}`,
    );
  }
}

/** A server on all addresses is also on that of this machine; those of IPv6 have brackets. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

interface Taking {
  readonly prover: Prover | undefined;
  readonly lines: NotificationLines;
  readonly seen: RecentPushes;
  readonly held: HeldBytes;
}

/** Never throws: whatever a stranger sends is printed or refused. */
async function take(request: IncomingMessage, response: ServerResponse, { prover, lines, seen, held }: Taking) {
  const body = held.begin();
  try {
    const notification = await read(request, prover, body.seen);
    // Senders that sign nothing may have no ids; repeats of theirs cannot be told.
    const isAgain = notification.id !== '' && seen.isHandled(notification);
    seen.remember(notification);
    lines.show(notification, { isAgain, isVerified: prover !== undefined });
    respondNode(response, RECEIVED);
  } catch (error) {
    const refusal = isPushError(error) ? error : new PushError('INVALID_BODY', 'The request cannot be read', error);
    lines.refused(refusal);
    respondNode(response, receiptOf(refusal));
  } finally {
    body.release();
  }
}

async function read(request: IncomingMessage, prover: Prover | undefined, seen: BytesSeen): Promise<PushNotification> {
  const delivery = nodeDelivery(request);
  const { method, headers } = delivery;
  if (method !== 'POST') throw new PushError('WRONG_METHOD', 'Notifications are sent with POST');
  prover?.check(headers);
  const body = await delivery.readBody(DEFAULT_BODY_BYTES, seen);
  const unproved = { id: headerOf(headers, ID_HEADER) ?? '', timestamp: Math.floor(Date.now() / 1000) };
  return readNotification(headers, body, (await prover?.verify(headers, body)) ?? unproved);
}
