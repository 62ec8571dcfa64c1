import { Client } from '@modelcontextprotocol/client';
import { A2AServer, type Agent } from 'parley-a2a';
import { mcpTools } from 'parley-a2a/mcp';
import { traceHeaders } from 'parley-a2a/telemetry';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { bridgeTo } from '../mcp/support/bridge.ts';
import { startNewServer } from '../mcp/support/http-servers.ts';
import { placesOf } from '../mcp/support/served.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { registerProvider, type SeenSpan } from './spans.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACE = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, tracestate: 'vendor=value' };

function peerOf(agent: Agent): RpcPeer {
  const server = new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} } });
  onTestFinished(() => server.close());
  return new RpcPeer((request) => server.fetch(request));
}

/** Tools of a server over HTTP, and the `_meta` of the calls that it got. */
async function toolsWithMeta() {
  const server = await startNewServer();
  onTestFinished(() => server.close());
  const metas: Wire[] = [];
  const noting: typeof fetch = (input, init) => {
    const { method, params } = typeof init?.body === 'string' ? (JSON.parse(init.body) as Wire) : {};
    if (method === 'tools/call') metas.push(params._meta);
    return fetch(input, init);
  };
  const tools = await mcpTools({ url: server.url, fetch: noting });
  onTestFinished(() => tools.close());
  return { tools, metas, port: Number(new URL(server.url).port) };
}

describe('tools of MCP servers', () => {
  it('get the trace of the run, with nothing configured', async () => {
    const { tools, metas } = await toolsWithMeta();
    const peer = peerOf(agentOf(() => tools.add?.execute({ a: 2, b: 3 }).then(() => 'added')));
    await peer.send('go', {}, undefined, TRACE);
    expect(metas).toMatchObject([TRACE]);
    await peer.send('go');
    expect(metas[1]?.traceparent).toBeUndefined();
  });

  describe('with a provider', () => {
    const spans: SeenSpan[] = [];
    afterEach(() => void spans.splice(0));

    it('have spans by the names of the draft, in the run', async () => {
      onTestFinished(registerProvider(spans));
      const { tools, metas, port } = await toolsWithMeta();
      const peer = peerOf(
        agentOf(async () => {
          await tools.add?.execute({ a: 2, b: 3 });
          await tools.fail?.execute({}).catch(() => undefined);
          return 'done';
        }),
      );
      await peer.send('go', {}, undefined, TRACE);
      await eventually(() => spans.some(({ name }) => name === 'invoke_agent test')).toBe(true);
      const run = spans.find(({ name }) => name === 'invoke_agent test');
      const added = spans.find(({ name }) => name === 'tools/call add');
      expect(added).toMatchObject({
        kind: 'client',
        traceId: TRACE_ID,
        parentSpanId: run?.spanId,
        isError: false,
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'add',
          'server.address': '127.0.0.1',
          'server.port': port,
        },
      });
      expect(metas[0]?.traceparent).toBe(`00-${TRACE_ID}-${added?.spanId}-01`);
      expect(spans.find(({ name }) => name === 'tools/call fail')).toMatchObject({
        isError: true,
        attributes: { 'error.type': 'tool_error' },
      });
    });
  });
});

describe('agents as tools of MCP', () => {
  const telling = agentOf(() => JSON.stringify(traceHeaders()), { name: 'teller' });

  it.for([
    ['names it', TRACE, TRACE],
    ['names none', {}, {}],
    ['names what is none', { traceparent: 'nonsense', tracestate: 'a=b' }, {}],
    ['names what is too long', { ...TRACE, tracestate: 'x'.repeat(600) }, { traceparent: TRACE.traceparent }],
    ['names what is no text', { traceparent: { a: 1 } }, {}],
  ] as const)('get the trace of the call where _meta %s', async ([, meta, seen]) => {
    const { server, places } = placesOf([telling]);
    onTestFinished(() => server.close());
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(bridgeTo(places).open());
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: 'teller', arguments: { message: 'go' }, _meta: meta as never });
    expect(content[0]).toMatchObject({ type: 'text', text: JSON.stringify(seen) });
  });
});
