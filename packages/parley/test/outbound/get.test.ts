import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { A2AClient, A2AServer, defineAgent, link, type Part, text } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OutboundGuard } from '../../src/server/outbound/guard.ts';
import { PATIENCE_MS } from '../support/patience.ts';

async function site(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const GET = { maxBytes: 1000, timeout: PATIENCE_MS };

describe('a GET', () => {
  const guard = new OutboundGuard({ allow: ['127.0.0.1'] });

  it('brings the body and the headers', async () => {
    const url = await site((request, response) => {
      response.setHeader('content-type', 'text/csv').end(`${request.url} ${request.headers['accept-encoding']}`);
    });
    const { status, headers, body } = await guard.get(`${url}/a.csv`, GET);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/csv' });
    expect(new TextDecoder().decode(body)).toBe('/a.csv identity');
  });

  it('follows redirects to what may be called, and to nothing else [rule:push.ssrf-connect]', async () => {
    const url = await site((request, response) => {
      const to = new URL(`http://x${request.url}`).searchParams.get('to');
      if (to === null) response.end('there');
      else response.writeHead(302, { location: to }).end();
    });
    const at = (to: string) => `${url}/?to=${encodeURIComponent(to)}`;
    expect(new TextDecoder().decode((await guard.get(at('/b'), GET)).body)).toBe('there');
    for (const [to, problem] of [
      ['http://169.254.169.254/latest/meta-data/', 'a metadata address'],
      ['http://[::1]/', 'a loopback address'],
      ['file:///etc/passwd', 'must begin with https or http'],
      ['http://user:secret@127.0.0.1/', 'must not hold a user name'],
      ['http://', 'must be an absolute URL'],
    ] as const) {
      await expect(guard.get(at(to), GET)).rejects.toMatchObject({ message: expect.stringContaining(problem) });
    }
    const forever = await site((_, response) => response.writeHead(301, { location: '/again' }).end());
    await expect(guard.get(forever, GET)).rejects.toMatchObject({ message: 'redirects too often' });
  });

  it('reads no more than it may, in bytes and in time', async () => {
    const declared = await site((_, response) => response.setHeader('content-length', '5000').end('x'.repeat(5000)));
    await expect(guard.get(declared, GET)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const endless = await site((_, response) => {
      const pour = (): void => {
        if (!response.destroyed && response.write('x'.repeat(500))) setImmediate(pour);
        else response.once('drain', pour);
      };
      pour();
    });
    await expect(guard.get(endless, GET)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const stalling = await site((_, response) => response.write('x'));
    await expect(guard.get(stalling, { ...GET, timeout: 100 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const bomb = await site((_, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1_000_000)));
    });
    await expect(guard.get(bomb, { ...GET, maxBytes: 100_000 })).rejects.toMatchObject({
      message: 'responds with a body that is compressed',
    });
  });
});

describe('task.fetchFile', () => {
  const counter = defineAgent({
    name: 'counter',
    description: 'Counts the bytes of files',
    version: '1.0.0',
    async *run(task) {
      for (const part of task.parts) {
        if (part.kind !== 'bytes' && part.kind !== 'link') continue;
        const { bytes, mediaType, filename } = await task.fetchFile(part, { maxBytes: 1000 });
        yield `${filename ?? '-'} ${mediaType} ${bytes.length}\n`;
      }
    },
  });

  async function told(parts: readonly Part[], push = {}): Promise<string> {
    const server = new A2AServer({ agents: [counter], push });
    onTestFinished(() => server.close());
    const client = await A2AClient.connect('http://agent.test', {
      fetch: (...request) => server.fetch(new Request(...request)),
    });
    return JSON.stringify(await client.sendMessage(parts));
  }

  it('brings the file at an address that the operator has opened, and the bytes of a file', async () => {
    const url = await site((_, response) => response.setHeader('content-type', 'text/csv').end('a;b'));
    const bytes = { kind: 'bytes', bytes: 'aGk=', mediaType: 'text/plain', filename: 'hi.txt' } as const;
    const answer = await told([link(`${url}/f`), bytes], { allow: ['127.0.0.1'] });
    expect(answer).toContain('- text/csv 3\\nhi.txt text/plain 2');
  });

  it('brings files of this machine where only this machine reaches the server', async () => {
    const url = await site((_, response) => response.end('local'));
    const server = await new A2AServer({ agents: [counter], push: false }).listen({ port: 0 });
    onTestFinished(() => server.close());
    const client = await A2AClient.connect(server.url ?? '');
    expect(JSON.stringify(await client.sendMessage([link(url)]))).toContain('- undefined 5');
    expect(await told([link(url)])).toContain('must not lead to a loopback address');
  });

  it.each([
    ['http://169.254.169.254/latest/', 'The address of the file must not lead to a metadata address'],
    ['http://10.0.0.1/', 'The address of the file must not lead to a private address'],
    ['file:///etc/passwd', 'The address of the file must begin with https or http'],
  ])('fails the task for %s, and says why [rule:push.ssrf]', async (url, problem) => {
    const answer = await told([text('count'), link(url)]);
    expect(answer).toContain('"state":"failed"');
    expect(answer).toContain(problem);
  });

  it('fails the task where the file is too large or not there', async () => {
    const url = await site((request, response) => {
      if (request.url === '/large') response.end('x'.repeat(2000));
      else response.writeHead(404).end();
    });
    const push = { allow: ['127.0.0.1'] };
    expect(await told([link(`${url}/large`)], push)).toContain('responds with more than 1000 bytes');
    expect(await told([link(`${url}/none`)], push)).toContain('The address of the file responds with 404');
    const large = { kind: 'bytes', bytes: 'A'.repeat(4000) } as const;
    expect(await told([large])).toContain('The file is larger than 1000 bytes');
  });
});
