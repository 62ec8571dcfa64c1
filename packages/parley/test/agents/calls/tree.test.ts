import fc from 'fast-check';
import {
  A2AClient,
  A2AServer,
  type A2AServerOptions,
  type Agent,
  type AgentDefinition,
  type ClientOptions,
  defineAgent,
  type TaskNode,
  taskTree,
  textOf,
} from 'parley-a2a';
import { CALLS_EXTENSION } from 'parley-a2a/extensions';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unusedUrl } from '../../cli/support/elsewhere.ts';
import type { Wire } from '../../support/rpc.ts';

const SILENT = { error: () => {}, warn: () => {} };
const ONCE: ClientOptions = { retry: false };

function agent(name: string, run: AgentDefinition['run']): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', run });
}

/** Calls others one after the other, with its own name in front. */
function caller(name: string, ...targets: readonly (Agent | string | A2AClient)[]): Agent {
  return agent(name, async function* (task) {
    for (const target of targets) await task.call(target, `${name}: ${task.text}`, { client: ONCE }).task;
    yield 'done';
  });
}

async function listening(options: A2AServerOptions): Promise<A2AServer & { readonly url: string }> {
  const server = await new A2AServer({ log: SILENT, ...options }).listen({ port: 0 });
  onTestFinished(() => server.close());
  return server as A2AServer & { readonly url: string };
}

async function sent(client: A2AClient, text = 'go'): Promise<string> {
  const { id } = await client.sendMessageStream(text).task;
  return id;
}

/** The names of the agents, with those below in brackets, and what is missing. */
function outline({ agent: name, missing, children }: TaskNode): string {
  const below = children.length > 0 ? `(${children.map(outline).join(' ')})` : '';
  return `${name}${missing ? `!${missing.reason}` : ''}${below}`;
}

const asked = ({ task }: TaskNode) => textOf(task?.history[0]?.parts ?? []);

describe('the tree of a task on one server', () => {
  it('has children and theirs in the order in which they were started, whatever the agents’ keys are', async () => {
    const leaf = agent('leaf', () => 'leaf');
    const middle = caller('middle', leaf);
    const top = caller('top', middle, leaf);
    const server = new A2AServer({ agents: { top, 'in between': middle, x: leaf }, log: SILENT });
    const send: typeof fetch = (input, init) => server.fetch(new Request(input, init));
    const client = new A2AClient('http://tree.test', { fetch: send });
    const tree = await taskTree(client, await sent(client));
    expect(outline(tree)).toBe('top(middle(leaf) leaf)');
    expect(tree.parents).toEqual([]);
    const [between, last] = tree.children;
    expect([tree, between, between?.children[0], last].map((node) => node && asked(node))).toEqual([
      'go',
      'top: go',
      'middle: top: go',
      'top: go',
    ]);
    expect(between?.url).toBe('http://tree.test/a2a/agents/in%20between');
    expect(between?.task?.status.state).toBe('completed');
  });

  it('has the tasks that led to it', async () => {
    const leaf = agent('leaf', () => 'leaf');
    const middle = caller('middle', leaf);
    const kit = testAgent(caller('top', middle), { agents: [middle, leaf] });
    onTestFinished(() => kit.close());
    const whole = await taskTree(kit.client, await sent(kit.client));
    const lowest = whole.children[0]?.children[0];
    const tree = await taskTree(kit.connect({}, 'leaf'), lowest?.taskId ?? '');
    expect(tree.parents.map(outline)).toEqual(['top', 'middle']);
    expect(tree.parents[0]?.task).toEqual(whole.task);
    expect(outline(tree)).toBe('leaf');
  });

  it('throws where the task itself cannot be had', async () => {
    const kit = testAgent(agent('top', () => 'x'));
    onTestFinished(() => kit.close());
    await expect(taskTree(kit.client, 'nothing')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('goes as far as it is told, up and down', async () => {
    const leaf = agent('leaf', () => 'leaf');
    const middle = caller('middle', leaf);
    const kit = testAgent(caller('top', middle, leaf), { agents: [middle, leaf] });
    onTestFinished(() => kit.close());
    const id = await sent(kit.client);
    expect(outline(await taskTree(kit.client, id, { depth: 1 }))).toBe('top(middle(leaf!limit) leaf)');
    expect(outline(await taskTree(kit.client, id, { tasks: 2 }))).toBe('top(middle(leaf!limit) leaf!limit)');
    const whole = await taskTree(kit.client, id);
    const leafId = whole.children[0]?.children[0]?.taskId ?? '';
    const up = await taskTree(kit.connect({}, 'leaf'), leafId, { depth: 1 });
    expect(up.parents.map(outline)).toEqual(['middle']);
  });
});

describe('the tree of a task across servers', () => {
  it('goes down to other servers, and up where callers say where they are', async () => {
    const leaf = agent('leaf', () => 'leaf');
    const helper = caller('helper', leaf);
    const there = await listening({ agents: [helper, leaf] });
    const here = await listening({ agents: [caller('top', there.url)] });
    const client = await A2AClient.connect(here.url);
    const tree = await taskTree(client, await sent(client));
    expect(outline(tree)).toBe('top(helper(leaf))');
    expect(tree.children[0]?.url).toContain(there.url);
    // Here the caller did not say where it is, and it is not where its child is.
    const fromBelow = await taskTree(await A2AClient.connect(there.url), tree.children[0]?.taskId ?? '');
    expect(fromBelow.parents.map(outline)).toEqual(['top!unreachable']);
    expect(fromBelow.parents[0]?.taskId).toBe(tree.taskId);

    const port = Number(new URL(await unusedUrl()).port);
    const known = new A2AServer({
      agents: [caller('known', there.url)],
      url: `http://127.0.0.1:${port}/`,
      log: SILENT,
    });
    await known.listen({ port });
    onTestFinished(() => known.close());
    const knownClient = await A2AClient.connect(`http://127.0.0.1:${port}`);
    const down = await taskTree(knownClient, await sent(knownClient));
    const up = await taskTree(await A2AClient.connect(there.url), down.children[0]?.taskId ?? '');
    expect(up.parents.map(outline)).toEqual(['known']);
    expect(outline(up)).toBe('helper(leaf)');
  });

  it('shows what cannot be reached as such, and the rest', async () => {
    const leaf = agent('leaf', () => 'leaf');
    const there = await new A2AServer({ agents: [leaf], log: SILENT }).listen({ port: 0 });
    const here = await listening({ agents: [caller('top', there.url ?? '', leaf), leaf] });
    const client = await A2AClient.connect(here.url, ONCE);
    const id = await sent(client);
    await there.close();
    const tree = await taskTree(client, id);
    expect(outline(tree)).toBe('top(leaf!unreachable leaf)');
    expect(tree.children[0]?.missing?.error?.code).toBe('UNREACHABLE');
  });

  it('tells secrets to the agent’s own server and to those that are allowed, and follows nobody it must not', async () => {
    const heard: Record<string, (string | null)[]> = {};
    const servers = new Map<string, A2AServer>();
    const network: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const { origin } = new URL(request.url);
      heard[origin] = [...(heard[origin] ?? []), request.headers.get('x-secret')];
      return servers.get(origin)?.fetch(request) ?? Response.error();
    };
    const leaf = agent('leaf', () => 'leaf');
    const there = new A2AClient('http://there.test', { fetch: network });
    servers.set('http://there.test', new A2AServer({ agents: [leaf], log: SILENT }));
    servers.set('http://here.test', new A2AServer({ agents: [caller('top', there, leaf), leaf], log: SILENT }));
    const settings = { fetch: network, headers: { 'x-secret': 'mine' } };
    const client = new A2AClient('http://here.test', settings);
    const id = await sent(client);
    const tell = async (from: A2AClient) => {
      for (const origin of Object.keys(heard)) delete heard[origin];
      expect(outline(await taskTree(from, id))).toBe('top(leaf leaf)');
      return [...new Set(heard['http://here.test']), ...new Set(heard['http://there.test'])];
    };
    expect(await tell(client)).toEqual(['mine', null]);
    expect(
      await tell(new A2AClient('http://here.test', { ...settings, allowedOrigins: ['http://there.test'] })),
    ).toEqual(['mine', 'mine']);
    const connect = (url: string) => (url.startsWith('http://here.test') ? client.at(url) : undefined);
    expect(outline(await taskTree(client, id, { connect }))).toBe('top(leaf!not-followed leaf)');
  });
});

describe('a tree that is no tree', () => {
  /** A client of a server whose tasks claim any children. */
  function lying(children: Readonly<Record<string, readonly object[]>>): { client: A2AClient; asked: string[] } {
    const askedFor: string[] = [];
    const respond: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'GET') {
        const url = 'http://liar.test/a2a';
        const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
        return Response.json({
          name: 'liar',
          description: 'Lies',
          version: '1.0.0',
          supportedInterfaces,
          capabilities: {},
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
        });
      }
      const { id, params } = (await request.json()) as Wire;
      askedFor.push(params.id);
      const metadata = { [CALLS_EXTENSION]: { children: children[params.id] ?? [] } };
      const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' };
      return Response.json({ jsonrpc: '2.0', id, result: { id: params.id, contextId: 'c', status, metadata } });
    };
    return { client: new A2AClient('http://liar.test', { fetch: respond, retry: false }), asked: askedFor };
  }

  it('ends, with each task asked for once, and never more than allowed', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const graphs = fc.dictionary(fc.constantFrom(...names), fc.array(fc.constantFrom(...names), { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 8 }), async (graph, tasks) => {
        const claims = Object.entries(graph).map(([id, ids]) => [id, ids.map((taskId) => ({ taskId, agent: 'liar' }))]);
        const { client, asked: askedFor } = lying(Object.fromEntries(claims));
        const tree = await taskTree(client, 'a', { tasks });
        expect(new Set(askedFor).size).toBe(askedFor.length);
        expect(askedFor.length).toBeLessThanOrEqual(tasks);
        if (tasks === 8) expect(JSON.stringify(tree)).not.toContain('unreachable');
      }),
      { numRuns: 60 },
    );
  });

  it('takes no address that is none', async () => {
    const { client } = lying({
      a: [
        { taskId: 'b', agent: 'x', url: 'file:///etc/passwd' },
        { taskId: 'c', agent: 'x', url: 'http://user:secret@liar.test' },
        { taskId: 'd', agent: 'y', path: '/../../admin' },
        { agent: 'z' },
      ],
    });
    const tree = await taskTree(client, 'a');
    expect(tree.children.map(({ taskId, missing, url }) => [taskId, missing?.reason, url])).toEqual([
      ['b', 'unreachable', 'file:///etc/passwd'],
      ['c', 'unreachable', 'http://user:secret@liar.test'],
      ['d', undefined, 'http://liar.test/a2a/agents/y'],
    ]);
  });

  it('is given up when it is no longer wanted', async () => {
    const { client } = lying({ a: [{ taskId: 'b', agent: 'x' }] });
    const control = new AbortController();
    const connect = (url: string) => {
      control.abort(new Error('enough'));
      return client.at(url);
    };
    await expect(taskTree(client, 'a', { connect, signal: control.signal })).rejects.toThrow('enough');
  });
});
