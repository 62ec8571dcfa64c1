import { describe, expect, it } from 'vitest';
import { allOf, call, message, start } from './document-agent.ts';

describe('the older spellings at a mount (S0.21)', () => {
  it('are in streams, also for who comes back (S0.8)', async () => {
    const mount = await start({ mounts: [{ path: '/older', dialect: 'rxjs-older' }] });
    const url = mount.replace('/api/a2a', '/older');
    const frames = (await allOf(await call(url, 'message/stream', message('Analyze')))).map(({ result }) => result);
    expect(frames[0]).toMatchObject({ kind: 'task', status: { state: 'started' } });
    const pieces = frames.filter(({ kind }) => kind === 'artifact-update');
    expect(pieces.map(({ part }) => part.text).join('')).toBe('Analysis: Sales increased, by 15%');

    const back = (await allOf(await call(url, 'tasks/get', { taskId: frames[0].id }))).map(({ result }) => result);
    expect(back.map(({ kind, final }) => [kind, final])).toEqual([
      ['status-update', false],
      ['artifact-update', undefined],
      ['status-update', true],
    ]);
    expect(back[1]).toMatchObject({ index: 0, part: { text: 'Analysis: Sales increased, by 15%', append: false } });
  });
});
