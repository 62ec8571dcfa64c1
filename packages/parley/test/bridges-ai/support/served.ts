import { A2AClient, type Agent, type ClientOptions, serve } from 'parley-a2a';

export interface Served extends AsyncDisposable {
  readonly client: A2AClient;
  readonly url: string;
}

/** An agent behind a socket, and a client of it. */
export async function served(agent: Agent, options?: ClientOptions): Promise<Served> {
  const server = await serve(agent, { port: 0, drainTimeout: 0 });
  const url = server.url ?? '';
  const client = await A2AClient.connect(url, options);
  return { client, url, [Symbol.asyncDispose]: () => server.close() };
}
