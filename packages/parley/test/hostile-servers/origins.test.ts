import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answers, streams, taskOf } from './frames.ts';
import { clientFor, hostileServer } from './hostile-server.ts';

const SECRETS = { headers: { 'x-team': 'sales', cookie: 'a=b' }, credentials: () => 'secret' };
const SCHEMES = {
  securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { token: { list: [] } } }],
};

describe('a card that leads to another origin', () => {
  it('gets none of the secrets there', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const other = await hostileServer((attack) => {
      seen.push(attack.request.headers);
      if (attack.method === 'GetTask') answers(attack, taskOf('COMPLETED'));
      else streams(attack, { task: taskOf('COMPLETED') });
    });
    const interfaces = [{ url: `${other.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const first = await hostileServer(() => {}, { ...SCHEMES, supportedInterfaces: interfaces });
    const client = clientFor(first, SECRETS);
    await client.getTask('t');
    await client.sendMessageStream('hi').task;
    expect(seen).toHaveLength(2);
    for (const headers of seen) {
      expect(headers).not.toHaveProperty('x-team');
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
    const trusting = clientFor(first, { ...SECRETS, allowedOrigins: [other.url] });
    await trusting.getTask('t');
    expect(seen.at(-1)).toMatchObject({ 'x-team': 'sales', authorization: 'Bearer secret' });
  });
});
