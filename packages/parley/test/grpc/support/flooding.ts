import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { onTestFinished } from 'vitest';
import { A2AServer, type A2AServerOptions, defineAgent } from '../../../src/index.ts';
import { RawClient } from './raw-client.ts';

const flood = defineAgent({
  name: 'flood',
  description: 'Writes',
  version: '1.0.0',
  async *run(task) {
    const [word = '', count = '1', size = '1'] = task.text.split(' ');
    if (word === 'hang') await new Promise((_, reject) => task.signal.addEventListener('abort', reject));
    for (let index = 0; index < Number(count); index += 1) yield word.padEnd(Number(size), '.');
  },
});

export async function started(options: Partial<A2AServerOptions> = {}) {
  const server = new A2AServer({
    agents: [flood],
    drainTimeout: 0,
    log: { error: () => {}, warn: () => {} },
    grpc: { port: 0 },
    ...options,
  });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  return { server, client: new RawClient(server.grpcAddress) };
}

export const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });
export const failed = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('It did not fail')),
    (error) => error,
  );

export async function rawSession(server: A2AServer): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://${server.grpcAddress}`);
  onTestFinished(() => session.destroy());
  return session;
}

interface RawEnd {
  readonly http: number | undefined;
  readonly status: string | undefined;
}

export function rawCall(
  session: ClientHttp2Session,
  path: string,
  body: Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<RawEnd> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...more,
    });
    let http: number | undefined;
    let status: string | undefined;
    stream.on('response', (headers) => {
      http = headers[constants.HTTP2_HEADER_STATUS] as number | undefined;
      status = headers['grpc-status'] as string | undefined;
    });
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'] as string | undefined;
    });
    stream.on('error', reject);
    stream.on('close', () =>
      resolve({ http: Number(http), status: status === undefined ? undefined : String(status) }),
    );
    stream.resume();
    stream.end(body);
  });
}
