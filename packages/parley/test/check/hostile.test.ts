import { readFileSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpServer, unusedUrl } from '../cli/support/elsewhere.ts';
import { cli } from '../cli/support/in-process.ts';
import { tempFile } from '../support/temp-folder.ts';
import { checked, idsWith } from './support/checked.ts';

const ESCAPE = '\u001b[2J\u0007';

/** A card for whatever answers at this address. */
function cardAt(url: string, more: object = {}): string {
  return JSON.stringify({
    name: `rude${ESCAPE}`,
    description: 'Hostile',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'x', name: 'x', description: 'x', tags: ['x'] }],
    ...more,
  });
}

/** A server with a card, and with this for everything else. */
function serverWith(answer: Parameters<typeof httpServer>[0], more?: object): Promise<string> {
  return httpServer((request, response) => {
    if (request.url?.includes('/.well-known/')) {
      const url = `http://${request.headers.host}/rpc`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(cardAt(url, more));
    } else answer(request, response);
  });
}

describe('parley check survives a server that', () => {
  it('is not there', async () => {
    const { code, stdout, stderr } = await cli(['check', await unusedUrl()]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^parley: Cannot reach /);
  });

  it('has no card', async () => {
    const url = await httpServer((_request, response) => void response.writeHead(404).end('nothing'));
    expect((await cli(['check', url])).code).toBe(3);
  });

  it('does not let everybody see its card', async () => {
    const url = await httpServer((_request, response) => void response.writeHead(401).end());
    expect((await cli(['check', url])).code).toBe(4);
  });

  it('accepts connections and says nothing', async () => {
    const server = createTcpServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { code, stderr } = await cli(['check', `http://127.0.0.1:${port}`, '--timeout', '2']);
    expect(code).toBe(3);
    expect(stderr).toContain('does not respond');
  });

  it('answers nothing but its card', async () => {
    const url = await serverWith(() => {});
    const { results, code } = await checked(url, '--timeout', '2');
    expect(code).toBe(1);
    expect(idsWith(results, 'PASS').filter((id) => /^(?:send|get|list)\./.test(id))).toEqual([]);
    expect(results.find(({ id }) => id === 'send.wrapped')?.verdict).toBe('SKIP');
  });

  it('streams for ever', async () => {
    const url = await serverWith((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'), 1);
      response.on('close', () => clearInterval(timer));
      request.resume();
    });
    const { results } = await checked(url, '--timeout', '3', '--only', 'stream,send');
    expect(results.length).toBeGreaterThan(10);
  });

  it('sends more than anybody wants', async () => {
    const flood = 'x'.repeat(2 ** 16);
    const url = await serverWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        while (!response.destroyed && response.write(flood));
      };
      response.on('drain', pour);
      pour();
    });
    const { results } = await checked(url, '--timeout', '20', '--only', 'get,jsonrpc');
    const evidence = JSON.stringify(results);
    expect(evidence.length).toBeLessThan(100_000);
    expect(evidence).toContain('the response has more than');
  });

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '42'],
    ['a list', '[[[]]]'],
    [
      'members of wrong types',
      '{"jsonrpc":2,"id":{},"result":{"task":{"id":7,"status":[],"history":"x","artifacts":{}}},"error":5}',
    ],
    ['deep JSON', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ])('answers with %s', async (_name, body) => {
    const url = await serverWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { results, code } = await checked(url, '--timeout', '60');
    expect(code).toBe(1);
    const crashed = results
      .flatMap(({ outcomes }) => outcomes)
      .filter(({ reason }) => reason?.includes('could not be judged'));
    expect(crashed).toEqual([]);
  });

  it('says what a terminal would obey, and repeats secrets', async () => {
    const url = await serverWith((request, response) => {
      const said = `${ESCAPE}${request.headers.authorization}`;
      response.writeHead(200, { 'content-type': 'application/json', 'x-said': request.headers.authorization ?? '' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: said } }));
    });
    const report = tempFile('report.xml');
    const args = ['check', url, '--token', 'very-secret-token', '--junit', report, '--timeout', '60'];
    const { stdout, stderr } = await cli(args, { terminal: true });
    const xml = readFileSync(report, 'utf8');
    for (const text of [stdout, stderr, xml]) {
      expect(text).not.toContain('very-secret-token');
      expect(text).not.toContain('\u001b[2J');
      expect(text).not.toContain('\u0007');
    }
    expect(xml).toMatch(/^<\?xml version="1\.0"/);
    expect(xml).toContain('<failure');
  });

  it('leads elsewhere', async () => {
    const url = await serverWith(() => {}, {
      supportedInterfaces: [
        { url: 'http://elsewhere.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
    });
    const { code, stderr } = await cli(['check', url]);
    expect(code).toBe(4);
    expect(stderr).toContain('--allow-origin');
  });
});

describe('the command line of parley check', () => {
  it.each([
    [['--only', 'sned'], 'there is no rule or area "sned"; did you mean send?'],
    [['--prompt', 'dancing=x'], '--prompt must be SITUATION=TEXT'],
    [['--timeout', 'soon'], '--timeout must be a number of seconds'],
    [['--timeout', '0'], '--timeout must be a number of seconds above 0, not "0"'],
    [['--protocol', '2.0'], '--protocol must be one of 1.0, 0.3'],
    [['--listen', '203.0.113.1'], 'this machine cannot listen on 203.0.113.1'],
  ])('%j is refused', async (args, problem) => {
    const { code, stderr } = await cli(['check', await unusedUrl(), ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it('refuses an interface that the card does not have', async () => {
    const { code } = await cli(['check', await serverWith(() => {}), '--protocol', '0.3']);
    expect(code).toBe(2);
  });

  it('makes the folder of a report, and refuses one that cannot be written before it asks anybody', async () => {
    const url = await serverWith(() => {});
    const report = join(tempFile('x'), '..', 'reports', 'deep', 'check.xml');
    await cli(['check', url, '--only', 'card.well-known', '--timeout', '5', '--junit', report]);
    expect(readFileSync(report, 'utf8')).toContain('<testsuites');
    const refused = await cli(['check', await unusedUrl(), '--junit', join(report, 'check.xml')]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^parley: --junit .* cannot be written: /),
    });
    expect(await cli(['check', url, '--timeout', '5', '--junit', join(report, '..')])).toMatchObject({ code: 2 });
  });

  it('prints the report even if its file can no longer be written', async () => {
    const folder = join(tempFile('x'), '..', 'reports');
    const url = await serverWith(() => {});
    const vanishing = await httpServer((request, response) => {
      rmSync(folder, { recursive: true, force: true });
      void fetch(`${url}${request.url}`).then(async (card) => {
        response.writeHead(card.status, { 'content-type': 'application/json' }).end(await card.text());
      });
    });
    const args = ['check', vanishing, '--only', 'card.well-known', '--allow-origin', url, '--timeout', '5'];
    const { code, stdout, stderr } = await cli([...args, '--junit', join(folder, 'check.xml')]);
    expect(code).toBe(1);
    expect(stdout).toContain('card.well-known');
    expect(stderr).toContain('cannot be written: ENOENT');
  });
});
