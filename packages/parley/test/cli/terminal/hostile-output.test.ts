import { describe, expect, it } from 'vitest';
import { answers, frameOf, statusOf, streams, taskOf } from '../../hostile-servers/frames.ts';
import { type Attack, hostileServer } from '../../hostile-servers/hostile-server.ts';
import { cli } from '../support/in-process.ts';

/** Retitles and clears the screen, goes back in the line, erases, overrides the direction, in 7 and 8 bits. */
const BAD = 'a\u001b]0;owned\u0007\u001b[2J\u001b[35m\rb\b\u007f\u009b2J\u009d0;x\u009c\u202ec\u2066\u2028d\u0000';
const said = (text = BAD) => ({ messageId: BAD, role: 'ROLE_AGENT', parts: [{ text }] });
const PARTS = [
  { text: BAD },
  { text: BAD, filename: BAD, mediaType: BAD },
  { raw: 'YQ==', filename: `../${BAD}/${BAD}`, mediaType: BAD },
  { url: `https://example.com/${BAD}`, filename: BAD, mediaType: BAD },
  { data: { [BAD]: BAD }, filename: BAD },
];
const ARTIFACT = { artifactId: BAD, name: BAD, description: BAD, parts: PARTS, metadata: { [BAD]: BAD } };
/** The id is given where it begins with a hyphen, too. */
const taskIn = (state: string, id = BAD) => ({
  ...taskOf(state),
  id,
  contextId: BAD,
  status: { ...statusOf(state, said()), timestamp: BAD },
  artifacts: [ARTIFACT],
  history: [{ ...said(), role: 'ROLE_USER' }],
  metadata: { [BAD]: BAD },
});
const CARD = {
  name: BAD,
  description: BAD,
  version: BAD,
  documentationUrl: BAD,
  provider: { organization: BAD, url: BAD },
  defaultInputModes: [BAD],
  defaultOutputModes: [BAD],
  capabilities: { streaming: true, [BAD]: true, extensions: [{ uri: BAD, description: BAD }] },
  securitySchemes: {
    [BAD]: { apiKeySecurityScheme: { location: 'header', name: BAD, description: BAD } },
    other: { httpAuthSecurityScheme: { scheme: BAD } },
  },
  skills: [{ id: BAD, name: BAD, description: BAD, tags: [BAD], examples: [BAD] }],
};

/** A server that says nothing but hostile things; `state` is that of its tasks. */
function rudeServer(state: string, id?: string) {
  const task = taskIn(state, id);
  return hostileServer((attack: Attack) => {
    const { method } = attack;
    if (method === 'ListTasks') answers(attack, { tasks: [task], nextPageToken: '', totalSize: 1, pageSize: 1 });
    else if (method === 'SendStreamingMessage' || method === 'SubscribeToTask') {
      const ids = { taskId: task.id, contextId: BAD };
      const chunk = { artifactUpdate: { ...ids, artifact: { ...ARTIFACT, artifactId: 'other' }, append: true } };
      streams(attack, { task: { ...task, status: statusOf('WORKING', said()) } }, chunk, {
        statusUpdate: { ...ids, status: task.status, metadata: { [BAD]: BAD } },
      });
    } else answers(attack, method === 'SendMessage' ? { task } : task);
  }, CARD);
}

const STYLE = '(?:[012349]|3[1236])';
const OURS = new RegExp(`\u001b\\[${STYLE}(?:;${STYLE})*m|\r\u001b\\[K|[\n\t]`, 'g');

/** All that is left of an output without line feeds, tabs, our styles and the status line's erasing. */
function controlsIn(text: string): string[] {
  const rest = text.replaceAll(OURS, '');
  return rest.match(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu) ?? [];
}

const COMMANDS: readonly (readonly [what: string, args: (url: string) => readonly string[], state?: string])[] = [
  ['a card', (url) => ['card', url]],
  ['a card as JSON', (url) => ['card', url, '--json']],
  ['an answer', (url) => ['send', url, 'hi']],
  ['an answer as JSON', (url) => ['send', url, 'hi', '--json']],
  ['an answer in one piece', (url) => ['send', url, 'hi', '--no-stream']],
  ['the id of a task', (url) => ['send', url, 'hi', '--no-wait'], 'WORKING'],
  ['the id of a task as JSON', (url) => ['send', url, 'hi', '--no-wait', '--json'], 'WORKING'],
  ['a question', (url) => ['send', url, 'hi'], 'INPUT_REQUIRED'],
  ['a demand for an authorization', (url) => ['send', url, 'hi'], 'AUTH_REQUIRED'],
  ['a failure', (url) => ['send', url, 'hi'], 'FAILED'],
  ['a stream', (url) => ['stream', url, 'hi']],
  ['a stream as JSON', (url) => ['stream', url, 'hi', '--json']],
  ['a list of tasks', (url) => ['tasks', url]],
  ['a list of tasks as JSON', (url) => ['tasks', url, '--json']],
  ['a task', (url) => ['get', url, BAD]],
  ['a task that is watched', (url) => ['watch', url, BAD]],
  ['a tree', (url) => ['tree', url, BAD]],
  ['a tree as JSON', (url) => ['tree', url, BAD, '--json']],
  ['a canceled task', (url) => ['cancel', url, BAD], 'CANCELED'],
];

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

type Failure = (attack: Attack) => void;

const FAILURES: readonly (readonly [what: string, fail: Failure])[] = [
  ['an error', (attack) => rpcError(attack)],
  ['an error with details', (attack) => rpcError(attack, [{ '@type': BAD, reason: BAD, metadata: { a: BAD } }])],
  ['a page', ({ response }) => void response.writeHead(500, { 'content-type': 'text/html' }).end(BAD)],
  ['a stream that is none', ({ response }) => void response.writeHead(200, EVENT_STREAM).end(`data: ${BAD}\n\n`)],
  [
    'a lost task',
    (attack) => void attack.response.writeHead(200, EVENT_STREAM).end(frameOf(attack, { task: taskIn('WORKING') })),
  ],
];

describe('a terminal', () => {
  it.for(COMMANDS)('gets no control character of an agent: %s', async ([, args, state = 'COMPLETED']) => {
    const { url } = await rudeServer(state);
    for (const env of [{ NO_COLOR: '' }, { NO_COLOR: '1' }]) {
      const { stdout, stderr } = await cli(args(url), { terminal: true, env });
      // It is there, as a person or a program may see it.
      expect(stdout + stderr).toMatch(/(␛|\\u001b)\]0;owned/);
      expect(controlsIn(stdout)).toEqual([]);
      expect(controlsIn(stderr)).toEqual([]);
    }
  });

  it('gets none at a prompt', async () => {
    const { url } = await rudeServer('INPUT_REQUIRED');
    const { stdout, stderr } = await cli(['chat', url], { terminal: true, stdin: 'one\ntwo\n' });
    expect(stderr).toContain('Go on with');
    expect(controlsIn(stdout)).toEqual([]);
    expect(controlsIn(stderr)).toEqual([]);
  });

  it.for(FAILURES)('gets none in what is said of %s', async ([, fail]) => {
    const { url } = await hostileServer((one) => (one.method === 'GetTask' ? rpcError(one) : fail(one)), CARD);
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await cli(['send', url, 'hi', '--timeout', '20', ...more], { terminal: true });
      expect(code).not.toBe(0);
      expect(stderr).not.toBe('');
      expect(controlsIn(stdout)).toEqual([]);
      expect(controlsIn(stderr)).toEqual([]);
    }
  });
});

function rpcError({ response, id }: Attack, data?: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: BAD, data } }));
}

describe('a command to paste', () => {
  it('takes an id for an id, whatever it begins with', async () => {
    const { url } = await rudeServer('INPUT_REQUIRED', '--allow-origin=https://evil.example');
    const asked = await cli(['send', url, 'hi'], { terminal: true, env: { NO_COLOR: '1' } });
    expect(asked.stderr).toContain(`--task=--allow-origin=https://evil.example`);
    const begun = await cli(['send', url, 'hi', '--no-wait'], { terminal: true, env: { NO_COLOR: '1' } });
    expect(begun.stderr).toContain(`watch ${url} -- --allow-origin=https://evil.example`);
  });

  it('has the id that it was given', async () => {
    const { url } = await rudeServer('INPUT_REQUIRED');
    const { stderr } = await cli(['send', url, 'hi'], { terminal: true, env: { NO_COLOR: '1' } });
    const [, quoted = ''] = /--task (\$'(?:\\.|[^'])*')/.exec(stderr) ?? [];
    expect(quoted).toContain('\\u001b]0;owned\\u0007');
  });
});

describe('a card that leads to another origin', () => {
  async function misleading() {
    const other = await hostileServer((attack) => streams(attack, { task: taskOf('COMPLETED') }));
    const first = await hostileServer(() => {}, {
      supportedInterfaces: [{ url: `${other.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    return { other, first };
  }

  it.for([['send'], ['stream'], ['get'], ['watch'], ['cancel'], ['tree']])('is not followed by %s', async ([
    command = '',
  ]) => {
    const { other, first } = await misleading();
    const { code, stderr } = await cli([command, first.url, 'private'], { terminal: false });
    expect(code).toBe(4);
    expect(stderr).toContain(`leads to another origin, ${other.url}: nothing was sent there`);
    expect(stderr).toContain(`--allow-origin ${other.url}`);
    expect(other.requests()).toBe(0);
  });

  it('is followed where the user allows it', async () => {
    const { other, first } = await misleading();
    const { code } = await cli(['send', first.url, 'hi', '--allow-origin', other.url], {});
    expect(code).toBe(0);
    expect(other.requests()).toBe(1);
  });

  it('may use another name of this machine', async () => {
    const server = await hostileServer((attack) => streams(attack, { task: taskOf('COMPLETED') }));
    const { code } = await cli(['send', server.url.replace('127.0.0.1', 'localhost'), 'hi'], {});
    expect(code).toBe(0);
  });
});
