import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Wire } from '../support/rpc.ts';

/** A request that a webhook got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Wire;
  /** The status that it was answered with; undefined where it was left open. */
  readonly status: number | undefined;
}

export interface Answer {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** No answer comes. */
  readonly hangs?: boolean | undefined;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** The requests that were answered with 2xx. */
  readonly accepted: readonly Received[];
  /** Requests that are open now, and the most that ever were. */
  readonly open: { now: number; most: number };
  /** Waits until there are so many accepted requests. */
  until(count: number): Promise<readonly Received[]>;
  /** Waits until an accepted request fits. */
  untilBody(fits: (body: Wire) => boolean): Promise<void>;
  close(): Promise<void>;
}

type Respond = (request: Omit<Received, 'status'>, number: number) => Answer | Promise<Answer> | undefined;

/** A webhook on this machine, which answers 200 unless it is told otherwise. */
export async function startReceiver(respond: Respond = () => undefined, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => {
      open.now -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on(
      'end',
      () => void answer(Buffer.concat(chunks).toString(), request.url ?? '', request.headers, response),
    );
  });
  const answer = async (text: string, path: string, headers: IncomingHttpHeaders, response: ServerResponse) => {
    const seen = { path, headers, text, body: JSON.parse(text) };
    const { status = 200, headers: more = {}, hangs = false } = (await respond(seen, received.length)) ?? {};
    received.push({ ...seen, status: hangs ? undefined : status });
    if (!hangs) response.writeHead(status, more).end();
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    port: (server.address() as AddressInfo).port,
    received,
    get accepted() {
      return received.filter(({ status = 0 }) => status >= 200 && status < 300);
    },
    open,
    until: async (count) => {
      await eventually(() => receiver.accepted.length).toBeGreaterThanOrEqual(count);
      return receiver.accepted;
    },
    untilBody: (fits) => eventually(() => receiver.accepted.some(({ body }) => fits(body))).toBe(true),
    close,
  };
  return receiver;
}

/** The accepted requests without repetitions, which a webhook may get after a crash. */
export function withoutRepeats({ accepted }: Pick<Receiver, 'accepted'>): readonly Received[] {
  const first = new Map<string, Received>();
  for (const one of accepted) {
    const id = String(one.headers['webhook-id']);
    if (!first.has(id)) first.set(id, one);
  }
  return [...first.values()];
}

/** What a body of 1.0 tells, in one word. */
export function toldBy({ body }: Pick<Received, 'body'>): string {
  if (body.statusUpdate) return body.statusUpdate.status.state.replace('TASK_STATE_', '').toLowerCase();
  if (body.artifactUpdate) return textOf(body.artifactUpdate.artifact);
  return body.task ? `task ${body.task.status.state.replace('TASK_STATE_', '').toLowerCase()}` : 'unknown';
}

export function textOf(artifact: Wire): string {
  return artifact.parts.map((part: Wire) => part.text).join('');
}

export function isCompleted(body: Wire): boolean {
  return body.statusUpdate?.status.state === 'TASK_STATE_COMPLETED';
}
