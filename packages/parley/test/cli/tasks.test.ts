import { describe, expect, it } from 'vitest';
import { serveAgents } from './support/agents.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

describe('tasks, get, watch and cancel', () => {
  it('list tasks in a table that fits', async () => {
    const { url } = await serveAgents();
    await cli(['send', url, `reject ${'because '.repeat(30)}`]);
    await cli(['send', url, 'ask Who is it?']);
    for (const columns of [200, 100, 80, 60, 40]) {
      const { stdout } = await cli(['tasks', url], { terminal: true, columns });
      const lines = plain(stdout).trimEnd().split('\n');
      expect(lines).toHaveLength(3);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
    const { stdout } = await cli(['tasks', url], { terminal: true, columns: 100 });
    expect(plain(stdout)).toMatch(
      /^STATE +CHANGED +TASK +ABOUT\ninput-required +now +\S{36} {2}Who is it\?\nrejected +/,
    );
  });

  it('filter and limit them', async () => {
    const { url } = await serveAgents();
    for (const script of ['wait 1', 'wait 1', 'reject x']) await cli(['send', url, script]);
    const count = async (...args: readonly string[]) =>
      objectsOf((await cli(['tasks', url, '--json', ...args])).stdout).length;
    expect(await count()).toBe(3);
    expect(await count('--state', 'rejected')).toBe(1);
    expect(await count('--limit', '2')).toBe(2);
    expect(await count('--limit', '1', '--all')).toBe(3);
    expect(await count('--context', 'another')).toBe(0);
    const limited = await cli(['tasks', url, '--limit', '1'], { terminal: true });
    expect(plain(limited.stderr)).toContain('1 of 3 tasks; --all shows every one.');
  });

  it('get what a task has brought', async () => {
    const { url } = await serveAgents();
    const [task] = objectsOf((await cli(['send', url, 'chunk 2 4', '--json'])).stdout);
    expect((await cli(['get', url, task.id])).stdout).toBe('00010002\n');
    expect(objectsOf((await cli(['get', url, task.id, '--json'])).stdout)[0]).toEqual(task);
  });

  it('watch from a position', async () => {
    const { url } = await serveAgents();
    const events = objectsOf((await cli(['stream', url, 'chunk 3 4', '--json'])).stdout);
    const id = events[0].task.id;
    expect((await cli(['watch', url, id])).stdout).toBe('000100020003\n');
    const later = objectsOf((await cli(['watch', url, id, '--from', String(events[1].seq), '--json'])).stdout);
    expect(later).toEqual(events.slice(2));
    expect((await cli(['watch', url, id, '--from', '0'])).stdout).toBe('000100020003\n');
  });

  it('watch a task of an agent that does not stream', async () => {
    const { at } = await serveAgents();
    const id = (await cli(['send', at('dull'), '--no-wait', 'wait'])).stdout.trim();
    expect(await cli(['watch', at('dull'), id])).toEqual({ code: 0, stdout: '# Done\n', stderr: '' });
    expect((await cli(['stream', at('dull'), 'go'])).stdout).toBe('# Done\n');
  });

  it('leave the task alone when somebody stops watching', async () => {
    const { url } = await serveAgents();
    const id = (await cli(['send', url, '--no-wait', 'chunk 2 4 60000'])).stdout.trim();
    const { code, stdout, stderr } = await cli(['watch', url, id], { interruptAt: '0001' });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '0001\n' });
    expect(stderr).toContain(`the task goes on. Watch again: parley watch ${url} ${id}`);
    expect(objectsOf((await cli(['get', url, id, '--json'])).stdout)[0].status.state).toBe('working');
  });

  it('cancel, and say so if it is too late', async () => {
    const { url } = await serveAgents();
    const id = (await cli(['send', url, '--no-wait', 'wait 60000'])).stdout.trim();
    expect(await cli(['cancel', url, id])).toMatchObject({ code: 0, stdout: `${id} canceled\n` });
    expect(await cli(['cancel', url, id])).toMatchObject({ code: 0 });
    const [task] = objectsOf((await cli(['send', url, 'wait 1', '--json'])).stdout);
    const late = await cli(['cancel', url, task.id]);
    const look = `parley get ${url} ${task.id}`;
    const stderr = `parley: The task is completed and cannot be canceled any more; ${look} shows what became of it.\n`;
    expect(late).toMatchObject({ code: 1, stderr });
  });
});
