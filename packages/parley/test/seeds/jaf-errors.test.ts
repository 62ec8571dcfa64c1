import { describe, expect, it } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';
import { all, sending, serveJaf } from './jaf-peer.ts';

const tutor = agentOf((task) => `You said ${task.text}`, { name: 'MathTutor' });
const bot = agentOf(() => 'Hello', { name: 'ChatBot', streaming: false });

describe('errors in JAF', () => {
  it('name the agents that there are where one is not, with HTTP 200 (S1.1) (S1.6)', async () => {
    const { peer } = await serveJaf([tutor, bot]);
    const nobody = peer.at('/a2a/agents/NonExistentAgent');
    const response = await nobody.post('message/send', sending('hi'), { 'X-A2A-Trace-Id': 'trace-12345' });
    const body = (await response.json()) as Wire;
    expect(response.status).toBe(200);
    const { timestamp } = body.error.data;
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'req-1',
        error: {
          code: -32000,
          message: 'Agent not found',
          data: {
            agentName: 'NonExistentAgent',
            availableAgents: ['MathTutor', 'ChatBot'],
            errorType: 'AgentNotFound',
            timestamp,
            requestId: 'req-1',
            traceId: 'trace-12345',
          },
        },
      }),
    );
  });

  it('are in that shape for clients of JAF wherever they call [rule:version.jaf]', async () => {
    const { peer } = await serveJaf([tutor, bot], { mounts: [] });
    const headers = { 'X-A2A-Client': 'jaf-python/2.0.0' };
    const asJaf = await peer.at('/a2a/agents/Nobody').error('message/send', sending('hi'), headers);
    expect(asJaf).toMatchObject({ code: -32000, data: { availableAgents: ['MathTutor', 'ChatBot'] } });
    const asOther = await peer.at('/a2a/agents/Nobody').post('message/send', sending('hi'));
    expect(asOther.status).toBe(404);
    const spoken = async (sent: Record<string, string>) =>
      (await peer.result('message/send', sending('hi'), sent)).kind;
    expect(await spoken({ 'X-A2A-Version': '0.3.0' })).toBe('completion');
    expect(await spoken(headers)).toBe('completion');
    expect(await spoken({})).toBe('task');
    expect(await spoken({ ...headers, 'A2A-Version': '0.3' })).toBe('task');
  });

  it('tell what is wrong with a request', async () => {
    const { peer } = await serveJaf([tutor, bot]);
    expect(await peer.error('message/send', { message: { role: 'user' } })).toMatchObject({
      code: -32602,
      message: 'Invalid parameters: message.parts is required; message.messageId is required',
      data: {
        fieldViolations: [{ field: 'message.parts' }, { field: 'message.messageId' }],
        errorType: 'InvalidParams',
        requestId: 'req-1',
      },
    });
    expect(await peer.error('message/fly', {})).toMatchObject({ code: -32601, data: { errorType: 'MethodNotFound' } });
    expect(await peer.error('tasks/pushNotificationConfig/set', {})).toMatchObject({ code: -32601 });
    const url = `${peer.base}/a2a`;
    const headers = { 'content-type': 'application/json' };
    const broken = (await (await fetch(url, { method: 'POST', headers, body: '{"jsonrpc":' })).json()) as Wire;
    expect(broken.error).toMatchObject({ code: -32700, data: { errorType: 'ParseError' } });
    const batch = (await (await fetch(url, { method: 'POST', headers, body: '[]' })).json()) as Wire;
    expect(batch.error).toMatchObject({ code: -32600, data: { errorType: 'InvalidRequest' } });
    const unknown = await peer.error('message/send', sending('hi'), { 'X-A2A-Version': '9.9' });
    expect(unknown).toMatchObject({ code: -32600, data: { errorType: 'VersionNotSupported', supported: '0.3.0' } });
  });

  it('tell of an agent that does not stream that the method is not there', async () => {
    const { peer } = await serveJaf([tutor, bot]);
    const [frame] = await peer.at('/a2a/agents/ChatBot').stream('message/stream', sending('hi'));
    expect(frame).toMatchObject({ event: 'error', response: { id: 'req-1', error: { code: -32601 } } });
  });

  it('tell that there is no room (-32007) and that the server stops (-32002)', async () => {
    const { server, peer } = await serveJaf(agentOf(hang), { limits: { queuedMessages: 0 } });
    const frames = peer.frames('message/stream', sending('go'));
    const taskId = (await frames.next()).value?.response.result.taskId;
    const busy = await peer.post('message/send', sending('more', { taskId }));
    expect(busy.status).toBe(429);
    expect(((await busy.json()) as Wire).error).toMatchObject({
      code: -32007,
      data: { errorType: 'ResourceExhausted' },
    });
    const rest = all(frames);
    await server.close();
    const last = (await rest).at(-1);
    expect(last?.response.error ?? last?.response.result.status.error).toMatchObject({ code: -32002 });
  });
});
