import { describe, expect, it } from 'vitest';
import { startOfficialWith } from '../client/support/official.ts';
import { textOfScript } from '../crash/server/script-agent.ts';
import { cli, objectsOf } from './support/in-process.ts';

const WAYS = ['jsonrpc 1.0', 'rest 1.0', 'grpc 1.0', 'jsonrpc 0.3', 'rest 0.3', 'grpc 0.3'];

describe.for(WAYS)('an agent of the official SDK over %s', (way) => {
  const [binding = '', protocol = ''] = way.split(' ');
  const how = ['--binding', binding, '--protocol', protocol];

  it('is called by every command', async () => {
    const { url } = await startOfficialWith({ grpc: binding === 'grpc' });
    const card = (await cli(['card', url, ...how])).stdout;
    expect(card).toMatch(/^official 1\.0\.0\nDoes what it is told\n/);
    expect(card.match(/^.* ← used$/gm)).toHaveLength(1);
    const whole = `${textOfScript('count 30')}\n`;
    expect(await cli(['send', url, 'count 30', ...how])).toEqual({ code: 0, stdout: whole, stderr: '' });
    expect(await cli(['stream', url, 'count 30', ...how])).toEqual({ code: 0, stdout: whole, stderr: '' });
    expect(await cli(['send', url, 'count 30', '--no-stream', ...how])).toEqual({ code: 0, stdout: whole, stderr: '' });
    expect((await cli(['send', url, 'reply', ...how])).stdout).toBe('Hello\n');
    expect(await cli(['send', url, 'fail', ...how])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The task failed: It broke\n',
    });

    const asked = await cli(['stream', url, 'require 2', '--json', ...how]);
    expect(asked.code).toBe(5);
    const { id } = objectsOf(asked.stdout)[0].task;
    expect((await cli(['get', url, id, ...how])).code).toBe(5);
    const answered = await cli(['send', url, '--task', id, 'count 3', ...how]);
    expect(answered).toEqual({ code: 0, stdout: `${textOfScript('count 3')}\n`, stderr: '' });
    expect((await cli(['watch', url, id, ...how])).code).toBe(0);
    expect((await cli(['tree', url, id, ...how])).stdout).toContain(`official  completed  ${id}`);
  });

  it('is stopped by Ctrl-C', async () => {
    const { url } = await startOfficialWith({ grpc: binding === 'grpc' });
    const interruptAt = textOfScript('hang 2');
    const { code, stdout, stderr } = await cli(['stream', url, 'hang 2', ...how], { interruptAt });
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${textOfScript('hang 2')}\n` });
    expect(stderr).toContain('The task was canceled.');
  });
});
