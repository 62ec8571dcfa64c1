// A program of somebody who has the frameworks: every adapter from the packed package serves a card.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { A2AServer, defineAgent } from 'parley-a2a';
import { a2aExpress } from 'parley-a2a/express';
import { a2aFastify } from 'parley-a2a/fastify';
import { a2aFetch } from 'parley-a2a/fetch';
import { a2aHono } from 'parley-a2a/hono';
import { a2aKoa } from 'parley-a2a/koa';
import { a2aNode } from 'parley-a2a/node';

const CARD = '/.well-known/agent-card.json';
const hello = defineAgent({ name: 'hello', description: 'Greets', version: '1.0.0', run: () => 'Hello!' });
const server = new A2AServer({ agents: [hello] });

async function cardFrom(listener) {
  const http = createServer(listener);
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${http.address().port}${CARD}`, { headers: { connection: 'close' } });
  http.close();
  return response.json();
}

const cards = {
  node: () => cardFrom(a2aNode(server)),
  fetch: async () => (await a2aFetch(server)(new Request(`http://localhost${CARD}`))).json(),
  express: () => cardFrom(express().use(a2aExpress(server))),
  fastify: async () => (await fastify().register(a2aFastify(server)).inject(CARD)).json(),
  hono: async () => (await new Hono().route('/', a2aHono(server)).request(CARD)).json(),
  koa: () => cardFrom(new Koa().use(a2aKoa(server)).callback()),
};
for (const card of Object.values(cards)) assert.equal((await card()).name, 'hello');
await server.close();
console.log(`served with ${Object.keys(cards).join(', ')}`);
