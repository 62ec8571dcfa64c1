import { fail } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';
import { all, sending, serveJaf } from './peer.ts';

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

  it('are events of a stream where one was asked for, also of an agent that is not there (S1.2) (S1.6)', async () => {
    const { peer } = await serveJaf([tutor, bot], { mounts: [] });
    const headers = { 'X-A2A-Client': 'jaf-python/2.0.0' };
    const nobody = peer.at('/a2a/agents/Nobody');
    const [frame, ...others] = await nobody.stream('message/stream', sending('hi'), headers);
    expect(frame).toMatchObject({ event: 'error', response: { id: 'req-1', error: { code: -32000 } } });
    expect(others).toEqual([]);
    expect((await nobody.post('message/stream', sending('hi'))).status).toBe(404);
  });

  it('tell a stream of a failed task what they tell whoever sent a message (S1.6)', async () => {
    const { peer } = await serveJaf(agentOf(() => fail('The index is empty')));
    const headers = { 'X-A2A-Trace-Id': 'trace-12345' };
    const frames = await peer.stream('message/stream', sending('hi'), headers);
    const sent = await peer.error('message/send', sending('hi'), headers);
    const { error } = frames.at(-1)?.response ?? {};
    expect(Object.keys(error.data)).toEqual(Object.keys(sent.data));
    const { taskId, timestamp } = error.data;
    expect(error).toEqual({ ...sent, data: { ...sent.data, taskId, timestamp } });
    expect(taskId).toBe(frames[0]?.response.result.taskId);
    expect(error.data).toMatchObject({ state: 'failed', requestId: 'req-1', traceId: 'trace-12345' });
  });

  it('name states as JAF does, and tell of a task that has ended that it cannot be canceled (S1.4) (S1.6)', async () => {
    const { peer } = await serveJaf(agentOf(hang));
    const frames = peer.frames('message/stream', sending('go'));
    const id = (await frames.next()).value?.response.result.taskId;
    await peer.result('tasks/cancel', { id });
    await all(frames);
    expect(await peer.error('tasks/cancel', { id })).toMatchObject({
      code: -32602,
      data: { taskId: id, state: 'cancelled', errorType: 'TaskNotCancelable' },
    });
  });

  it('are in that shape for what cannot be read, where the headers tell who asks (S1.6)', async () => {
    const { peer } = await serveJaf(tutor, { mounts: [] });
    const read = async (headers: Record<string, string>) => {
      const all = { 'content-type': 'application/json', ...headers };
      const response = await fetch(`${peer.base}/a2a`, { method: 'POST', headers: all, body: '{"jsonrpc":' });
      return ((await response.json()) as Wire).error;
    };
    const jaf = { 'X-A2A-Version': '0.3.0' };
    expect(await read(jaf)).toMatchObject({ code: -32700, data: { errorType: 'ParseError' } });
    expect(await read({ ...jaf, 'A2A-Version': '0.3' })).not.toHaveProperty('data.errorType');
    expect(await read({})).not.toHaveProperty('data.errorType');
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
    const twice = await peer.error('message/send', sending('hi', { timestamp: 5, parts: [null] }));
    expect(twice.data.fieldViolations).toEqual([
      { field: 'message.parts[0]', description: 'must be an object' },
      { field: 'message.timestamp', description: 'must be a string' },
    ]);
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
