import type { A2AServerOptions } from 'parley-a2a';
import { expect, onTestFinished } from 'vitest';
import { type Form, postTo } from './forms.ts';
import { head, open, type RawResponse, type RawSocket } from './raw-socket.ts';
import { type Subject, startSubject } from './subject.ts';

export interface SocketSubject extends Subject {
  readonly connect: () => Promise<RawSocket>;
  /** What a request with exactly these bytes gets. */
  readonly ask: (bytes: string | Uint8Array) => Promise<RawResponse>;
}

/** The same server, on a port. A rejection that nobody handles, at any time, fails the test. */
export async function listenSubject(options: Partial<A2AServerOptions> = {}): Promise<SocketSubject> {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  process.on('uncaughtException', onUnhandled);
  onTestFinished(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    process.off('uncaughtException', onUnhandled);
    expect(unhandled).toEqual([]);
  });
  const subject = startSubject(options);
  await subject.server.listen({ port: 0 });
  const connect = () => open(subject.server);
  return {
    ...subject,
    connect,
    async ask(bytes) {
      const connection = await connect();
      connection.write(bytes);
      return connection.response();
    },
  };
}

/** The lines of a POST in a form, without its length; and its path. */
export function postHead(form: Form, more: readonly string[] = []): string {
  const request = postTo(form, '');
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  return head(`POST ${new URL(request.url).pathname} HTTP/1.1`, [...headers, ...more]);
}
