import { newPushKeys, newPushSecret } from 'parley-a2a/push';
import { expect, it } from 'vitest';
import { blocksOf } from '../setup/support/documents.ts';
import { startProgram } from '../setup/support/programs.ts';
import { notification, statusBody } from './support/notifications.ts';

const [receiver = '', byHand = '', guard = ''] = blocksOf('docs/guides/receiving-webhooks.md', 'ts');
const timestamp = (): number => Math.floor(Date.now() / 1000);

function started(program: string, environment: Readonly<Record<string, string>>) {
  const { child, ended } = startProgram(`Object.assign(process.env, ${JSON.stringify(environment)});\n${program}`);
  const lines: string[] = [];
  const heard = new Map<string, () => void>();
  child.stdout.on('data', (text) => {
    lines.push(...String(text).trim().split('\n'));
    for (const [part, resolve] of heard) if (lines.some((line) => line.includes(part))) resolve();
  });
  const line = async (part: string): Promise<string> => {
    await new Promise<void>((resolve) => {
      heard.set(part, resolve);
      if (lines.some((known) => known.includes(part))) resolve();
    });
    return lines.find((known) => known.includes(part)) ?? '';
  };
  return { line, ended };
}

it('the page about receivers has one that works as it stands', async () => {
  const secret = newPushSecret();
  const listening = "server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));";
  const { line } = started(`${receiver}\n${listening}`, { WEBHOOK_SECRET: secret });
  const url = `http://127.0.0.1:${(await line('port ')).slice('port '.length)}/`;
  const send = async (signedBy: string): Promise<number> => {
    const sent = { timestamp: timestamp(), seq: 4, body: statusBody('TASK_STATE_COMPLETED'), secrets: [signedBy] };
    const { headers, body } = await notification(sent);
    return (await fetch(url, { method: 'POST', headers, body: String(body) })).status;
  };
  expect(await send(newPushSecret())).toBe(401);
  expect(await send(secret)).toBe(204);
  expect(await line('task-1')).toBe('task-1 4 completed');
});

it('the page about receivers has a route by hand that works as it stands', async () => {
  const { signingKey, publicKey } = await newPushKeys();
  const { headers, body } = await notification({ timestamp: timestamp(), secrets: [], signingKeys: [signingKey] });
  const calls = [body, `${String(body)} `].map((text) => {
    const init = JSON.stringify({ method: 'POST', headers, body: text });
    return `console.log('status', (await POST(new Request('https://hooks.example/', ${init}))).status);`;
  });
  const { line } = started(`${byHand}\n${calls.join('\n')}`, { AGENT_KEY: publicKey });
  expect(await line('msg_1')).toBe('msg_1 task-1 status');
  expect(await line('status 2')).toBe('status 204');
  expect(await line('status 4')).toBe('status 401');
});

it('the page about receivers shows a guard that is as it says', async () => {
  const local = guard.replaceAll('https://hooks.example/a2a', 'http://127.0.0.1:8080/');
  const { ended } = started(local, {});
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).toContain('must not lead to');
});
