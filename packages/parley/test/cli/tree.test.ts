import { A2AServer, type Agent, type CallTarget, defineAgent } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveAgents } from './support/agents.ts';
import { complete } from './support/child.ts';
import { unusedUrl } from './support/elsewhere.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

const ID = '[0-9a-f-]{36}';

function caller(name: string, ...targets: readonly CallTarget[]): Agent {
  return defineAgent({
    name,
    description: `The ${name}`,
    version: '1.0.0',
    async run(task) {
      for (const target of targets) await task.call(target, `For ${name}: ${task.text}`).task;
      return 'done';
    },
  });
}

async function listening(...agents: readonly Agent[]): Promise<A2AServer & { readonly url: string }> {
  const server = await new A2AServer({ agents, log: { error: () => {}, warn: () => {} } }).listen({ port: 0 });
  onTestFinished(() => server.close());
  return server as A2AServer & { readonly url: string };
}

async function sent(url: string, text = 'Hello'): Promise<string> {
  const { stdout } = await cli(['send', url, text, '--json']);
  return objectsOf(stdout)[0].id;
}

/** Two servers, on one of which are both agents that the first one calls. */
async function twoServers() {
  const leaf = caller('leaf');
  const there = await listening(caller('helper', leaf), leaf);
  const near = caller('near');
  const here = await listening(caller('top', there.url, near), near);
  return { here, there, id: await sent(here.url) };
}

describe('tree', () => {
  it('shows a task and what it has started, across servers, as a process', async () => {
    const { here, id } = await twoServers();
    const { code, stdout, stderr } = await complete(['tree', here.url, id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = [
      `top  completed  ${id}  Hello`,
      `├─ helper  completed  ${ID}  For top: Hello`,
      `│  └─ leaf  completed  ${ID}  For helper: For top: Hello`,
      `└─ near  completed  ${ID}  For top: Hello`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
  });

  it('gives one object a line with depth and parent', async () => {
    const { here, there, id } = await twoServers();
    const { code, stdout } = await cli(['tree', here.url, id, '--json'], { terminal: true });
    expect(code).toBe(0);
    const rows = objectsOf(stdout);
    const [top, helper, leaf, near] = rows;
    expect(rows.map(({ depth, agent, asked }) => [depth, agent, asked])).toEqual([
      [0, 'top', true],
      [1, 'helper', false],
      [2, 'leaf', false],
      [1, 'near', false],
    ]);
    expect(rows.map(({ parent }) => parent)).toEqual([null, top.taskId, helper.taskId, top.taskId]);
    expect(leaf).toMatchObject({ url: `${there.url}/a2a/agents/leaf`, task: { status: { state: 'completed' } } });
    expect(near).not.toHaveProperty('children');
  });

  it('shows the tasks that led to one, and marks that one', async () => {
    const { at } = await serveAgents();
    const [report, analysis] = objectsOf(
      (await cli(['tree', at('reporter'), await sent(at('reporter'), 'Q4'), '--json'])).stdout,
    );
    const { stdout } = await cli(['tree', at('analyst'), analysis.taskId]);
    expect(stdout).toBe(
      `reporter  completed  ${report.taskId}  Q4\n└─ analyst  completed  ${analysis.taskId}  Analyse Q4  ←\n`,
    );
  });

  it('shows what cannot be reached as such, and ends with 0 all the same', async () => {
    const { here, there, id } = await twoServers();
    await there.close();
    const { code, stdout, stderr } = await cli(['tree', here.url, id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`\n├─ helper  unreachable  ${ID}  .+\n└─ near  completed  ${ID}  For top: Hello\n$`),
    );
    const [, helper] = objectsOf((await cli(['tree', here.url, id, '--json'])).stdout);
    expect(helper).toMatchObject({ depth: 1, parent: id, missing: { reason: 'unreachable', code: 'UNREACHABLE' } });
  });

  it('fits the terminal, with whole ids and without what a terminal would obey', async () => {
    const leaf = caller('leaf');
    const { url } = await listening(caller('top', leaf), leaf);
    const id = await sent(url, `Bell \u0007 and much more${' and so on'.repeat(20)}`);
    const { stdout } = await cli(['tree', url, id], { terminal: true, columns: 80 });
    expect(stdout).not.toContain('\u0007');
    const lines = plain(stdout).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const narrow = plain((await cli(['tree', url, id], { terminal: true, columns: 40 })).stdout);
    expect(narrow.split('\n')[0]).toBe(`top  completed  ${id}`);
  });

  it('ends as the other commands do where the task itself cannot be shown', async () => {
    const { url } = await serveAgents();
    expect(await cli(['tree', url, 'nothing'])).toMatchObject({ code: 1, stdout: '' });
    expect((await cli(['tree', await unusedUrl(), 'nothing', '--timeout', '5'])).code).toBe(3);
    expect((await cli(['tree', url])).code).toBe(2);
  });
});
