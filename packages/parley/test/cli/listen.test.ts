import { newPushKeys, newPushSecret, publicJwkOf } from 'parley-a2a/push';
import { describe, expect, it } from 'vitest';
import { notification, type Sent, statusBody } from '../webhooks/support/notifications.ts';
import { start } from './support/child.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

const seconds = (): number => Math.floor(Date.now() / 1000);

/** Runs `parley listen` until `send`, which is told the address, has sent all that it wants. */
async function listening(args: readonly string[], send: (url: string) => Promise<void>, terminal = false) {
  const address = Promise.withResolvers<string>();
  let stop: (() => void) | undefined;
  const ran = cli(['listen', '--port', '0', ...args], {
    terminal,
    onOutput: ({ stdout, stderr }) => {
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(stdout + stderr)?.[0];
      if (url) address.resolve(url);
    },
    onInterrupt: (listener) => {
      stop = listener;
    },
  });
  try {
    await send(await address.promise);
  } finally {
    stop?.();
  }
  return ran;
}

async function post(url: string, sent: Sent): Promise<number> {
  const { headers, body } = await notification({ timestamp: seconds(), ...sent });
  return (await fetch(url, { method: 'POST', headers, body: String(body) })).status;
}

describe('listen', () => {
  it('says which address to register and how, and prints what comes', async () => {
    const { code, stdout, stderr } = await listening([], async (url) => {
      expect(await post(url, { seq: 3 })).toBe(204);
      expect(await post(url, { seq: 3 })).toBe(204);
      const artifact = { artifactId: 'a', name: 'report', parts: [{ text: 'Sales\ngrew' }] };
      const body = JSON.stringify({ artifactUpdate: { taskId: 'task-1', contextId: 'c', artifact, lastChunk: true } });
      expect(await post(url, { id: 'msg_2', seq: 5, body })).toBe(204);
      const status = { state: 'completed', timestamp: '2027-01-15T08:00:00Z' };
      const older = JSON.stringify({ kind: 'status-update', taskId: 'task-2', contextId: 'c', status, final: true });
      expect(await post(url, { id: 'msg_3', body: older })).toBe(204);
      for (let round = 0; round < 2; round += 1) {
        expect((await fetch(url, { method: 'POST', body: older })).status).toBe(204);
      }
    });
    expect(code).toBe(0);
    const time = '\\d\\d:\\d\\d:\\d\\d';
    const lines = [
      `${time}  task-1  #3  working`,
      `${time}  task-1  #3  working  again`,
      `${time}  task-1  #5  artifact  report: Sales grew`,
      `${time}  task-2  -  completed  0.3`,
      `${time}  task-2  -  completed  0.3`,
      `${time}  task-2  -  completed  0.3`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
    expect(stderr).toContain('CreateTaskPushNotificationConfig');
    expect(stderr).toContain('Nothing is checked.');
    expect(stderr).toMatch(/parley listen --secret whsec_\S{44}/);
  });

  it('checks signatures where it is told how', async () => {
    const secret = newPushSecret();
    const { stdout, stderr } = await listening(['--secret', secret], async (url) => {
      expect(await post(url, { secrets: [secret] })).toBe(204);
      expect(await post(url, { secrets: [newPushSecret()] })).toBe(401);
      expect(await post(url, { secrets: [secret], timestamp: 1 })).toBe(400);
    });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toContain('refused with 401: No signature in webhook-signature is right (WRONG_SIGNATURE)');
    expect(stderr).toContain('(TOO_OLD)');
    expect(stderr).not.toContain(secret);
    const { signingKey, publicKey } = await newPushKeys();
    const signed = { secrets: [], signingKeys: [signingKey] };
    await listening(['--public-key', publicKey], async (url) => {
      expect(await post(url, signed)).toBe(204);
      expect(await post(url, { secrets: [secret] })).toBe(401);
    });
    const jwk = await publicJwkOf(publicKey);
    const jwks = `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [jwk] }))}`;
    await listening(['--jwks', jwks], async (url) => expect(await post(url, signed)).toBe(204));
  });

  it('gives one object a line', async () => {
    const secret = newPushSecret();
    const { stdout, stderr } = await listening(['--json', '--secret', secret], async (url) => {
      await post(url, { secrets: [secret], seq: 3 });
      await fetch(url);
    });
    const [first, second, third] = objectsOf(stdout);
    expect(first).toEqual({ url: expect.stringContaining('http://127.0.0.1:') });
    expect(second).toMatchObject({
      id: 'msg_1',
      taskId: 'task-1',
      seq: 3,
      verified: true,
      again: false,
      dialect: '1.0',
    });
    expect(second.event).toMatchObject({ kind: 'status', status: { state: 'working' } });
    expect(third).toEqual({
      refused: { status: 405, code: 'WRONG_METHOD', message: 'Notifications are sent with POST' },
    });
    expect(stderr).toBe('');
  });

  it('lets nothing reach a terminal that it would obey', async () => {
    const evil = '\u001b]0;owned\u0007\u202e\r\n\u001b[2J';
    const status = {
      state: 'TASK_STATE_WORKING',
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: evil }] },
    };
    const body = JSON.stringify({ statusUpdate: { taskId: `t${evil}`, contextId: 'c', status } });
    for (const json of [[], ['--json']]) {
      const send = async (url: string) => expect(await post(url, { body })).toBe(204);
      const { stdout, stderr } = await listening(json, send, true);
      expect(plain(stdout) + plain(stderr)).not.toMatch(/[[\p{Cc}--[\n\t]]\u202e]/v);
      expect(stdout).toContain('owned');
    }
  });

  it.for([
    [['--secret', 'hunter2'], 'A webhook secret begins with whsec_'],
    [['--public-key', 'whpk_AAAA'], 'A public webhook key has 32 bytes after whpk_; this one has 3'],
    [['--jwks', 'keys'], '--jwks must be an absolute URL'],
    [['--port', 'x'], '--port must be a whole number'],
    [['extra'], 'listen takes only'],
  ] as const)('tells what is wrong with %j', async ([args, problem]) => {
    const { code, stderr } = await cli(['listen', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain('hunter2');
  });

  it('is a process that ends by a signal, and says when its port is taken', async () => {
    const running = start(['listen', '--port', '0', '--json']);
    const url = await running.until((stdout) => /"url":"(.*?)"/.exec(stdout)?.[1], 'an address');
    expect(await post(url, { body: statusBody('TASK_STATE_COMPLETED') })).toBe(204);
    await running.until((stdout) => (stdout.includes('"completed"') ? true : undefined), 'the event');
    const taken = await cli(['listen', '--port', new URL(url).port]);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain('is taken; --port 0 takes any free one');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });
});
