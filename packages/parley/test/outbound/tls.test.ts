import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OutboundGuard } from '../../src/server/outbound/guard.ts';
import type { OutboundOptions } from '../../src/server/outbound/settings.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../auth/support/tls', name), 'utf8');

async function secureReceiver(): Promise<{ readonly port: number; readonly asked: readonly (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer({ cert: pem('server.pem'), key: pem('server.key') }, (request, response) => {
    asked.push(request.headers.host, (request.socket as { readonly servername?: string }).servername);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

function post(url: string, options: OutboundOptions) {
  const guard = new OutboundGuard({ allow: ['127.0.0.1'], resolve: () => ['127.0.0.1'], ...options });
  onTestFinished(() => guard.close());
  return guard.post(url, { headers: {}, body: '{}', timeout: PATIENCE_MS });
}

it('goes to the checked address, and asks for the certificate of the name [rule:push.ssrf-connect]', async () => {
  const { port, asked } = await secureReceiver();
  expect((await post(`https://localhost:${port}/`, { ca: pem('ca.pem') })).status).toBe(200);
  expect(asked).toEqual([`localhost:${port}`, 'localhost']);
});

it('refuses a certificate of another name, and one that nobody vouches for', async () => {
  const { port, asked } = await secureReceiver();
  await expect(post(`https://hooks.test:${port}/`, { ca: pem('ca.pem') })).rejects.toMatchObject({
    message: 'cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID)',
  });
  await expect(post(`https://localhost:${port}/`, {})).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(asked).toEqual([]);
});
