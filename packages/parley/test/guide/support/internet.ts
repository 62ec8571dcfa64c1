import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type SigningKey, signingKey, tokenOf } from '../../auth/support/issuer.ts';
import { fillIn, type ProxyRules } from './nginx.ts';

const FOLDER = join(import.meta.dirname, 'tls');
const CERTIFICATE = join(FOLDER, 'names.pem');
const ISSUER = 'https://login.example.com';

export interface Internet {
  /** The variables by which programs get there, and trust what they find. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * The two names of the guide, with certificates: `agents.example.com` is a proxy that does what nginx.conf says, and
 * `login.example.com` gives out tokens. Programs get there by a proxy of their own.
 */
export async function startInternet(rules: ProxyRules): Promise<Internet> {
  const key = await signingKey('guide');
  const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(join(FOLDER, 'names.key')) };
  const names = createTlsServer(tls, (incoming, outgoing) => {
    if (incoming.headers.host === 'agents.example.com') forward(rules, incoming, outgoing);
    else void giveToken(key, incoming, outgoing);
  });
  const way = createServer((_, outgoing) => void outgoing.writeHead(400).end());
  way.on('connect', (incoming, socket) => {
    const isKnown = /^(agents|login)\.example\.com:443$/.test(incoming.url ?? '');
    if (!isKnown) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const inner = connect((names.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      inner.pipe(socket).pipe(inner);
    });
    const cut = () => {
      inner.destroy();
      socket.destroy();
    };
    for (const end of [inner, socket]) end.on('error', cut);
  });
  for (const server of [names, way]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
  const close = () => {
    for (const server of [names, way]) {
      server.closeAllConnections();
      server.close();
    }
  };
  const trust = { NODE_EXTRA_CA_CERTS: CERTIFICATE, CURL_CA_BUNDLE: CERTIFICATE };
  return { env: { ...trust, NODE_USE_ENV_PROXY: '1', https_proxy: proxy, no_proxy: 'localhost,127.0.0.1' }, close };
}

function forward({ target, headers: rules }: ProxyRules, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = new Map(Object.entries(incoming.headers).map(([name, value = '']) => [name, String(value)]));
  const variables = { host: 'agents.example.com', remote_addr: '192.0.2.7', scheme: 'https' };
  for (const [name, value] of rules) {
    const filled = fillIn(value, variables);
    if (filled === '') headers.delete(name);
    else headers.set(name, filled);
  }
  const { method = 'GET', url = '/' } = incoming;
  const inner = request(`${target}${url}`, { method, headers: Object.fromEntries(headers) }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  inner.on('error', () => void outgoing.writeHead(502).end());
  incoming.pipe(inner);
}

async function giveToken(key: SigningKey, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const send = (value: unknown) => outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  switch (incoming.url ?? '') {
    case '/.well-known/openid-configuration':
      return void send({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks`, token_endpoint: `${ISSUER}/token` });
    case '/jwks':
      return void send({ keys: [key.jwk] });
    case '/token': {
      let body = '';
      for await (const chunk of incoming) body += String(chunk);
      const form = new URLSearchParams(body);
      const isKnown = form.get('grant_type') === 'client_credentials' && form.get('client_secret') === 'secret';
      if (!isKnown) return void outgoing.writeHead(401).end('{"error":"invalid_client"}');
      const claims = { iss: ISSUER, sub: form.get('client_id') ?? '', aud: form.get('audience') ?? '' };
      return void send({ access_token: await tokenOf(key, claims), token_type: 'Bearer', expires_in: 300 });
    }
    default:
      outgoing.writeHead(404).end();
  }
}
