import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';
import { serveAgents } from './support/agents.ts';
import { documentServer, httpServer, refusingServer, unusedUrl } from './support/elsewhere.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

const folderOfTest = () => dirname(tempFile());

describe('send and stream', () => {
  it('print the answer alone where a program reads it', async () => {
    const { at } = await serveAgents();
    for (const command of ['send', 'stream']) {
      const { code, stdout, stderr } = await cli([command, at('reporter'), 'Report for Q4']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^# Sales report for Q4 2025\n.*\n$/s);
    }
  });

  it('show Markdown, files and what to know in a terminal', async () => {
    const { at } = await serveAgents();
    const { stdout, stderr } = await cli(['stream', at('reporter'), 'Report for Q4'], { terminal: true });
    expect(stdout).toContain('\u001b[1;4mSales report for Q4 2025\u001b[0m\n');
    expect(stdout).not.toContain('|');
    expect(plain(stderr)).toMatch(/figures-q4\.csv +text\/csv +\d+ B\n/);
    expect(plain(stderr)).toMatch(/task \S+ · context \S+ · completed\n$/);
  });

  it('keep to NO_COLOR and FORCE_COLOR', async () => {
    const { at } = await serveAgents();
    const ask = ['stream', at('lab'), 'reply # Title'];
    expect((await cli(ask, { terminal: true, env: { NO_COLOR: '1' } })).stdout).toBe('# Title\n');
    expect((await cli(ask, { env: { FORCE_COLOR: '1' } })).stdout).toBe('\u001b[1;4mTitle\u001b[0m\n');
    expect((await cli(ask)).stdout).toBe('# Title\n');
  });

  it('say when an address has no agent and that of the host is used', async () => {
    const { url } = await serveAgents();
    const { host } = new URL(url);
    const { code, stdout, stderr } = await cli(['send', `${url}/foo`, 'reply Hello']);
    expect(code).toBe(0);
    expect(stdout).toBe('Hello\n');
    const advice = `Write ${host} if you mean that one; parley agents ${host} lists the others.`;
    expect(stderr).toBe(`There is no agent at ${url}/foo: the default agent of ${url} is used, lab. ${advice}\n`);
    expect((await cli(['card', `${url}/foo`])).stderr).toBe(stderr);
    for (const address of [url, `${url}/`, `${url}/a2a`, `${url}/a2a/`, `${url}/.well-known/agent-card.json`]) {
      expect((await cli(['send', address, 'reply Hello'])).stderr).toBe('');
    }
  });

  it('take text from words, from stdin and from a dash', async () => {
    const { at } = await serveAgents();
    const said = async (args: readonly string[], stdin?: string) =>
      (await cli(['send', at('echo'), ...args], { stdin })).stdout;
    expect(await said(['one', 'two'])).toBe('one two\n');
    expect(await said([], 'piped\n')).toBe('piped\n');
    expect(await said(['-'], 'dashed')).toBe('dashed\n');
    expect(await said(['--', '-5 degrees'])).toBe('-5 degrees\n');
  });

  it('send files and data along', async () => {
    const { at } = await serveAgents();
    const folder = folderOfTest();
    writeFileSync(join(folder, 'table.csv'), 'a,b\n');
    writeFileSync(join(folder, 'value.json'), '[1, 2]');
    const more = ['--file', 'table.csv', '-d', '{"a": 1}', '--data', '@value.json', '--json'];
    const { stdout } = await cli(['send', at('echo'), 'text', ...more], { cwd: folder });
    expect(objectsOf(stdout)[0].parts).toEqual([
      { kind: 'text', text: 'text' },
      { kind: 'bytes', bytes: btoa('a,b\n'), mediaType: 'text/csv', filename: 'table.csv' },
      { kind: 'data', data: { a: 1 } },
      { kind: 'data', data: [1, 2] },
    ]);
  });

  it('go on with a task and a context, and print only what is new', async () => {
    const { url } = await serveAgents();
    const [task] = objectsOf((await cli(['send', url, 'chunk 2 8\nask Who?\nask And?', '--json'])).stdout);
    expect(task.status.state).toBe('input-required');
    const second = await cli(['send', url, '--task', task.id, 'Bob']);
    expect(second).toMatchObject({ code: 5, stdout: 'answered: Bob\n' });
    const third = await cli(['stream', url, '--task', task.id, 'Eve']);
    expect(third).toMatchObject({ code: 0, stdout: 'answered: Eve\n' });
    const [other] = objectsOf((await cli(['send', url, '--context', task.contextId, 'wait 1', '--json'])).stdout);
    expect(other).toMatchObject({ contextId: task.contextId });
  });

  it('tell how to answer a question', async () => {
    const { url, at } = await serveAgents();
    const asked = await cli(['send', url, 'ask Who?', '--binding', 'rest']);
    expect(asked).toMatchObject({ code: 5, stdout: '' });
    const [question, command = ''] = asked.stderr.split('\n');
    expect(question).toBe('The agent asks: Who?');
    const [, id = ''] = /^Answer with: parley send \S+ --task (\S+) --binding rest 'your answer'$/.exec(command) ?? [];
    expect((await cli(['send', url, '--task', id, 'Me'])).stdout).toBe('answered: Me\n');
    // What must not be seen is not to be typed on a command line.
    expect((await cli(['send', at('vault'), 'message'])).stderr).toMatch(/Answer with: parley chat \S+ --task \S+\n/);
    expect((await cli(['stream', url, 'auth Log in'])).stderr).toMatch(
      /needs an authorization: Log in\nAnswer with: parley chat/,
    );
  });

  it('give one JSON object a line and nothing else', async () => {
    const { url } = await serveAgents();
    const sent = await cli(['send', url, 'fail x', '--json'], { terminal: true });
    expect(sent.code).toBe(1);
    expect(sent.stderr).toBe('');
    expect(objectsOf(sent.stdout)).toMatchObject([{ status: { state: 'failed' } }]);
    const streamed = await cli(['stream', url, 'say Hi\nchunk 2 4', '--json'], { terminal: true });
    expect(streamed.stderr).toBe('');
    const events = objectsOf(streamed.stdout);
    expect(events.map(({ kind }) => kind)).toEqual(['task', 'status', 'artifact', 'artifact', 'status']);
    const positions = events.map(({ seq }) => seq);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    const problem = await cli(['send', await unusedUrl(), 'Hello', '--json']);
    expect(problem.stdout).toBe('');
    expect(objectsOf(problem.stderr)).toMatchObject([{ error: { code: 'UNREACHABLE' } }]);
  });

  it('print data where there is no text', async () => {
    const { url } = await serveAgents();
    expect((await cli(['send', url, 'data {"a": [1]}'])).stdout).toBe('{"a":[1]}\n');
    const shown = await cli(['send', url, 'data {"a": [1]}'], { terminal: true });
    expect(shown.stdout).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  });

  it('save files into a folder and nowhere else, and overwrite none', async () => {
    const { url } = await serveAgents();
    const folder = folderOfTest();
    const out = join(folder, 'out');
    mkdirSync(out);
    writeFileSync(join(folder, 'evil.txt'), 'mine');
    writeFileSync(join(out, 'a.txt'), 'mine');
    symlinkSync(join(folder, 'evil.txt'), join(out, 'link.txt'));
    const script = ['../evil.txt', '/etc/evil', '..', 'a.txt', 'link.txt', '.hidden'].map(
      (name) => `file ${name} text/plain new`,
    );
    const { code, stderr } = await cli(['send', url, `${script.join('\n')}\ndata 5`, '-o', 'out'], { cwd: folder });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'evil.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['evil.txt', 'out']);
    const names = ['a-2.txt', 'a.txt', 'data.json', 'evil', 'evil.txt', 'file', 'hidden', 'link-2.txt', 'link.txt'];
    expect(readdirSync(out).sort()).toEqual(names);
    expect(stderr).toContain(`Saved ${join('out', 'a-2.txt')} (3 B)\n`);
    expect(existsSync('/etc/evil')).toBe(false);
  });

  it('make one plain request if they are told to', async () => {
    const { url } = await serveAgents();
    expect((await cli(['send', url, '--no-stream', 'chunk 2 4'])).stdout).toBe('00010002\n');
    const { stdout } = await cli(['send', url, '--no-wait', 'wait 60000']);
    expect(stdout).toMatch(/^[\w-]+\n$/);
    expect((await cli(['cancel', url, stdout.trim()])).code).toBe(0);
  });
});

describe('card', () => {
  it('shows what there is', async () => {
    const { at } = await serveAgents();
    const { code, stdout } = await cli(['card', at('reporter')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^reporter 1\.0\.0\nTurns a year/);
    expect(stdout).toMatch(/interfaces +JSONRPC 1\.0 +http\S+ ← used\n/);
    expect(stdout).toContain('Sales report  report #sales');
    expect(stdout).not.toContain('problem');
  });

  it('gives the published card as JSON', async () => {
    const { url } = await serveAgents();
    const published: Wire = await (
      await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } })
    ).json();
    const [shown] = objectsOf((await cli(['card', url, '--json'])).stdout);
    expect(shown.card.name).toBe(published.name);
    expect(shown.card.supportedInterfaces).toEqual(published.supportedInterfaces);
    expect(shown).toMatchObject({ interface: { protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, problems: [] });
  });

  it('points problems out', async () => {
    const url = await documentServer({
      name: 'odd\u001b[31m',
      url: 'http://127.0.0.1:1/a2a',
      protocolVersion: '0.3.0',
    });
    const { code, stdout } = await cli(['card', url]);
    expect(code).toBe(0);
    expect(stdout).toContain('odd␛[31m');
    expect(stdout).toMatch(/\d+ problems with this card\n {2}! .*description is missing\n/s);
  });

  it('shows a card that nobody can use, and why', async () => {
    const url = await documentServer({ name: 'mute', description: 'Has no address', version: '1', skills: [] });
    const { code, stdout } = await cli(['card', url]);
    expect(code).toBe(3);
    expect(stdout).toContain('mute 1\nHas no address');
    expect(stdout).toContain('! the card names no interface');
    const [shown] = objectsOf((await cli(['card', url, '--json'])).stdout);
    expect(shown.problems.length).toBeGreaterThan(1);
    const sent = await cli(['send', url, 'Hello']);
    expect(sent).toMatchObject({ code: 3, stderr: expect.stringContaining('its card names no interface') });
  });

  it('says so where there is none', async () => {
    const url = await httpServer((_request, response) => void response.writeHead(404).end('<html>'));
    const { code, stderr } = await cli(['card', url]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^parley: There is no agent at http\S+: [^\n]+\n$/);
  });
});

describe('what every command takes', () => {
  it.for(['jsonrpc 1.0', 'rest 1.0', 'jsonrpc 0.3', 'rest 0.3'])('speaks %s', async (way) => {
    const { url } = await serveAgents();
    const [binding = '', protocol = ''] = way.split(' ');
    const how = ['--binding', binding, '--protocol', protocol];
    expect((await cli(['send', url, 'chunk 2 4', ...how])).stdout).toBe('00010002\n');
    expect((await cli([...how, 'stream', url, 'chunk 2 4'])).stdout).toBe('00010002\n');
    const [task] = objectsOf((await cli(['send', url, 'ask Who?', '--json', ...how])).stdout);
    expect((await cli(['get', url, task.id, ...how])).code).toBe(5);
    expect((await cli(['watch', url, task.id, ...how])).code).toBe(5);
    expect((await cli(['cancel', url, task.id, ...how])).code).toBe(0);
  });

  it.for(['jaf', 'v1_draft', 'rxjs', 'banterop'])('speaks %s', async (protocol) => {
    const { url } = await serveAgents();
    const address = { rxjs: '/api/a2a', banterop: '/a2a/v1' }[protocol] ?? '';
    const how = ['--protocol', protocol];
    expect((await cli(['send', `${url}${address}`, 'chunk 2 4', ...how])).stdout).toBe('00010002\n');
    expect((await cli(['stream', `${url}${address}`, 'chunk 2 4', ...how])).stdout).toBe('00010002\n');
  });

  it('refuses what the agent does not have', async () => {
    const url = await documentServer({
      ...{ name: 'old', description: 'Old', version: '1', capabilities: {}, skills: [] },
      ...{ url: 'http://127.0.0.1:1/', protocolVersion: '0.3.0', defaultInputModes: [], defaultOutputModes: [] },
    });
    const { code, stderr } = await cli(['send', url, 'Hello', '--binding', 'rest']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/has no interface for HTTP\+JSON: it offers JSONRPC 0\.3/);
  });

  it('shows a token and headers', async () => {
    const { url } = await serveAgents();
    const seen: (string | undefined)[] = [];
    const guarded = await refusingServer('secret', (request, response) => {
      seen.push(request.headers['x-team'] as string | undefined);
      void fetch(`${url}${request.url}`).then(async (answer) => response.end(await answer.text()));
    });
    expect((await cli(['card', guarded])).code).toBe(4);
    expect((await cli(['card', guarded, '--token', 'wrong'])).code).toBe(4);
    expect((await cli(['card', guarded, '--token', 'secret', '-H', 'X-Team: one'])).code).toBe(0);
    expect((await cli(['card', guarded], { env: { PARLEY_TOKEN: 'secret' } })).code).toBe(0);
    expect((await cli(['card', guarded, '--header', 'Authorization: Bearer secret'])).code).toBe(0);
    expect(seen).toEqual(['one', undefined, undefined]);
  });

  it('shows a token in the way that the card asks for', async () => {
    const seen: (readonly [unknown, unknown])[] = [];
    const url = await httpServer((request, response) => {
      const base = `http://${request.headers.host}`;
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') {
        const interfaces = [{ url: `${base}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
        const securitySchemes = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } };
        const securityRequirements = [{ schemes: { key: { list: [] } } }];
        const card = { name: 'locked', description: 'Locked', version: '1', capabilities: {}, skills: [] };
        const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
        const all = { ...card, ...modes, supportedInterfaces: interfaces, securitySchemes, securityRequirements };
        response.end(JSON.stringify(all));
        return;
      }
      seen.push([request.headers['x-key'], request.headers.authorization]);
      void json(request).then((call: Wire) => {
        const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Come in' }] };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: { message } }));
      });
    });
    expect((await cli(['card', url])).stdout).toContain('access      key: API key in the header X-Key\n');
    expect(await cli(['send', url, 'Hello', '--token', 'secret'])).toMatchObject({ code: 0, stdout: 'Come in\n' });
    expect(seen).toEqual([['secret', undefined]]);
  });
});

it('--timeout is also for a stream that sends nothing but its headers', async () => {
  const url = await httpServer((request, response) => {
    const isCard = request.url?.includes('/.well-known/');
    response.writeHead(200, { 'content-type': isCard ? 'application/json' : 'text/event-stream' });
    response.flushHeaders();
    if (!isCard) return;
    const own = { url: `http://${request.headers.host}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const rest = {
      version: '1',
      description: 'Says nothing',
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
    };
    response.end(
      JSON.stringify({ name: 'mute', ...rest, supportedInterfaces: [own], capabilities: { streaming: true } }),
    );
  });
  for (const command of ['send', 'stream']) {
    const { code, stdout, stderr } = await cli([command, url, 'Hello', '--timeout', '0.5']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      `parley: ${url} does not respond: No event came within 0.5 s. --timeout SECONDS waits longer\n`,
    );
  }
});
