import { expect, it } from 'vitest';
import { cli } from '../cli/support/in-process.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const agent = agentOf(async (task) => {
  const all = [
    task.ask({ prompt: 'Which size?', choices: ['small', { value: 'l', label: 'Large' }] }),
    task.ask('For whom?'),
    task.text === 'tools' ? task.tool('weather', { city: 'Oslo' }) : Promise.resolve('none'),
  ];
  return JSON.stringify(await Promise.all(all));
});

async function serve(): Promise<string> {
  const { server } = startServer(agent);
  await server.listen({ port: 0 });
  return server.url ?? '';
}

it('chat asks for the answer to one question after the other', async () => {
  const { code, stdout, stderr } = await cli(['chat', await serve()], { stdin: 'words\nlarge\nAnn\n' });
  expect(stderr).toContain('(1 of 2) Which size?\n\n1. small\n2. Large');
  expect(stderr).toContain('For whom?');
  expect([code, stdout.trim()]).toEqual([0, '["l","Ann","none"]']);
});

it('chat asks so at the mount of S0, for a tool as well [seed:S0.7]', async () => {
  const url = `${await serve()}/api/a2a`;
  const { stdout } = await cli(['chat', url, '--protocol', 'rxjs'], { stdin: 'tools\n1\nAnn\n{"sky":"blue"}\n' });
  expect(stdout.trim().split('\n').at(-1)).toBe('["small","Ann",{"sky":"blue"}]');
});

it('send advises to answer several questions in a chat', async () => {
  const url = await serve();
  const { code, stderr } = await cli(['send', url, 'words']);
  expect(code).toBe(5);
  expect(stderr).toMatch(/Answer with: parley chat \S+ --task \S+/);
});
