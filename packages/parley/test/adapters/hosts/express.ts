import { createServer } from 'node:http';
import express5, { type RequestHandler } from 'express';
import { a2aExpress } from 'parley-a2a/express';
import { type Host, listening, localHost, type Parsing } from '../support/host.ts';

type Express = typeof express5;

const TRAITS: Omit<Host, 'name' | 'start'> = {
  isApp: true,
  mounts: true,
  parsing: ['object', 'text', 'bytes', 'lost'],
};

export const express5Host = expressHost('Express 5', express5);

export function expressHost(name: string, express: Express) {
  return localHost({ name, ...TRAITS }, (server, { prefix, parsing }) => {
    const app = express();
    if (parsing) app.use(bodyParser(express, parsing));
    if (prefix === undefined) app.use(a2aExpress(server));
    else app.use(prefix, a2aExpress(server));
    app.get(['/own', '/healthz'], (_request, response) => void response.send('the app'));
    return listening(createServer(app));
  });
}

function bodyParser(express: Express, parsing: Parsing): RequestHandler {
  const options = { type: () => true, limit: '16mb' };
  switch (parsing) {
    case 'object':
      return express.json({ limit: '16mb' });
    case 'text':
      return express.text(options);
    case 'bytes':
      return express.raw(options);
    case 'lost':
      return (request, _response, next) => void request.resume().once('end', () => next());
  }
}
