import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { fastify as fastify4 } from 'fastify4';
import { a2aFastify } from 'parley-a2a/fastify';
import { expect, it, onTestFinished } from 'vitest';
import { RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { fastifyHost } from '../hosts/fastify.ts';
import { contractAgents } from '../support/agents.ts';

adapterContract(fastifyHost);

const CARD = '/.well-known/agent-card.json';
const JSON_TYPE = { 'content-type': 'application/json' };

it('leaves the bodies of other routes to the parsers of the app', async () => {
  const app = fastify();
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, { csv: body }));
  await app.register(a2aFastify(startServer(contractAgents).server));
  app.post('/own', async ({ body }) => ({ body }));
  const json = await app.inject({ method: 'POST', url: '/own', headers: JSON_TYPE, payload: '{"a": 1}' });
  expect(json.json()).toEqual({ body: { a: 1 } });
  const csv = await app.inject({
    method: 'POST',
    url: '/own',
    headers: { 'content-type': 'text/csv' },
    payload: 'a;b',
  });
  expect(csv.json()).toEqual({ body: { csv: 'a;b' } });
  const unknown = await app.inject({ method: 'POST', url: '/own', headers: { 'content-type': 'a/b' }, payload: 'x' });
  expect(unknown.statusCode).toBe(415);
});

it.each([
  ['5', fastify],
  ['4', fastify4 as unknown as typeof fastify],
])('keeps away from routes that the app has, and keeps to its hooks, on Fastify %s', async (_, create) => {
  const app = create();
  const answered: string[] = [];
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-from-app', 'yes');
    if (request.headers['x-api-key'] === 'wrong') return reply.code(401).send('Who are you?');
  });
  app.addHook('onResponse', async (request, reply) => void answered.push(`${request.url} ${reply.statusCode}`));
  app.get('/.well-known/agent.json', async () => 'my own');
  app.all('/v1/*', async () => 'my own');
  await app.register(a2aFastify(startServer(contractAgents).server));
  app.get('/*', async () => 'my page');
  expect((await app.inject('/.well-known/agent.json')).body).toBe('my own');
  expect((await app.inject({ method: 'POST', url: '/v1/message:send' })).body).toBe('my own');
  expect((await app.inject('/anything')).body).toBe('my page');
  const card = await app.inject(CARD);
  expect([card.statusCode, card.headers['x-from-app']]).toEqual([200, 'yes']);
  expect((await app.inject({ url: CARD, headers: { 'x-api-key': 'wrong' } })).statusCode).toBe(401);
  expect(answered.at(-2)).toBe(`${CARD} 200`);
});

it('works below a path with parameters, over HTTP/2', async () => {
  const app = fastify({ http2: true });
  await app.register(a2aFastify(startServer(contractAgents).server), { prefix: '/teams/:team' });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const session = connect(url);
  onTestFinished(async () => {
    session.destroy();
    await app.close();
  });
  const card: Wire = JSON.parse(await text(session.request({ ':path': `/teams/blue${CARD}` })));
  expect(card.url).toBe(`${url}/teams/blue/a2a`);
  const stream = session.request({
    ':path': '/teams/blue/a2a/message:stream',
    ':method': 'POST',
    'a2a-version': '1.0',
    ...JSON_TYPE,
  });
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Ada' }] };
  stream.end(JSON.stringify({ message }));
  expect(await text(stream)).toMatch(/Hello, Ada!.*TASK_STATE_COMPLETED/s);
});

it('closes with the app, though streams are open', async () => {
  const { server } = startServer(contractAgents);
  const app = fastify();
  await app.register(a2aFastify(server));
  app.addHook('preClose', () => server.close());
  const peer = new RpcPeer((request) => fetch(request), `${await app.listen({ port: 0, host: '127.0.0.1' })}/a2a`);
  const stream = await peer.open('SendStreamingMessage', sendParams('steps'));
  await stream.next();
  await Promise.all([app.close(), stream.rest()]);
  expect(server.load.subscriptions).toBe(0);
});
