import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type RpcFrame, sendParams } from '../../support/rpc.ts';
import type { Host } from '../support/host.ts';
import { type Hosted, hosted } from '../support/hosted.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export function streamsContract(host: Host): void {
  it('streams each frame while the agent still works', async () => {
    const { peer } = await hosted(host);
    const { stream, taskId, seen } = await firstStep({ peer });
    expect(Object.fromEntries(stream.response.headers)).toMatchObject(STREAM_HEADERS);
    // The agent waits for this message, which is sent only because its first words have come.
    await goOn({ peer }, taskId);
    const rest = await stream.rest();
    expect(textsOf([...seen, ...rest])).toEqual(['first', 'second']);
    expect(rest.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('frees a stream whose reader is gone, while the task goes on', async () => {
    const { peer, load } = await hosted(host);
    const { stream, taskId } = await firstStep({ peer });
    expect((await load()).subscriptions).toBe(1);
    await stream.close();
    await eventually(async () => (await load()).subscriptions).toBe(0);
    expect((await peer.call('GetTask', { id: taskId })).status.state).toBe('TASK_STATE_WORKING');
    await goOn({ peer }, taskId);
    await eventually(async () => (await peer.call('GetTask', { id: taskId })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  it('resumes a stream after the last frame that was received', async () => {
    const { peer } = await hosted(host);
    const { stream, taskId, seen } = await firstStep({ peer });
    await stream.close();
    await goOn({ peer }, taskId);
    const rest = await peer.stream('SubscribeToTask', { id: taskId }, { 'last-event-id': String(seen.at(-1)?.id) });
    expect(textsOf(rest)).toEqual(['second']);
    expect(rest.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const ids = [...seen, ...rest].map(({ id }) => id ?? 0);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });

  it('resumes for an EventSource, which cannot set headers, and tells a position that there is not', async () => {
    const { base, peer } = await hosted(host);
    const { stream, taskId, seen } = await firstStep({ peer });
    await stream.close();
    await goOn({ peer }, taskId);
    await eventually(async () => (await peer.call('GetTask', { id: taskId })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    const subscribe = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${base}/a2a/tasks/${taskId}:subscribe?A2A-Version=1.0&${query}`, { headers });
      return { status: response.status, text: await response.text() };
    };
    const rest = await subscribe(`after=${seen.at(-1)?.id}`);
    expect(rest.text).toContain('"second"');
    expect(rest.text).not.toContain('"first"');
    const last = [...rest.text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '';
    expect(await subscribe(`after=${last}`)).toEqual({ status: 204, text: '' });
    expect(await subscribe('after=0', { 'last-event-id': last })).toEqual({ status: 204, text: '' });
    const note = '"urn:parley:ext:resume:v1":{"gap":"ahead","asked":"4711"}';
    expect((await subscribe('after=4711')).text).toContain(note);
    expect((await subscribe('', { 'last-event-id': '4711' })).text).toContain(note);
  });

  it('says that an answer is replayed, and refuses several keys', async () => {
    const { base, peer } = await hosted(host);
    const params = sendParams('hello', { messageId: 'm-1' });
    const replayed = async (key: string) => {
      const response = await peer.request('SendMessage', params, { 'idempotency-key': key });
      await response.text();
      return response.headers.get('idempotent-replayed');
    };
    expect([await replayed('k-1'), await replayed('"k-1"')]).toEqual([null, 'true']);
    const headers = new Headers({ 'a2a-version': '1.0', 'content-type': 'application/json' });
    for (const key of ['k-1', 'k-2']) headers.append('idempotency-key', key);
    const body = JSON.stringify(params);
    const several = await fetch(`${base}/a2a/message:send`, { method: 'POST', headers, body });
    expect([several.status, await several.text()]).toEqual([400, expect.stringMatching(/must be one key/)]);
    const other = JSON.stringify(sendParams('something else', { messageId: 'm-1' }));
    headers.set('idempotency-key', 'k-1');
    expect((await fetch(`${base}/a2a/message:send`, { method: 'POST', headers, body: other })).status).toBe(422);
  });

  it('answers HEAD on a stream and holds nothing for it', async () => {
    const { base, peer, load } = await hosted(host);
    const { stream, taskId } = await firstStep({ peer });
    await stream.close();
    await eventually(async () => (await load()).subscriptions).toBe(0);
    const headers = { 'a2a-version': '1.0' };
    const head = await fetch(`${base}/a2a/tasks/${taskId}:subscribe`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, STREAM_HEADERS['content-type']]);
    expect(await head.text()).toBe('');
    await eventually(async () => (await load()).subscriptions).toBe(0);
    await goOn({ peer }, taskId);
  });
}

/** A stream whose agent has said its first words and waits. */
async function firstStep({ peer }: Pick<Hosted, 'peer'>) {
  const stream = await peer.open('SendStreamingMessage', sendParams('steps'));
  const seen = await stream.until(({ result }) => textsOf([{ result } as RpcFrame]).includes('first'));
  return { stream, seen, taskId: String(seen[0]?.result.task.id) };
}

async function goOn({ peer }: Pick<Hosted, 'peer'>, taskId: string): Promise<void> {
  await peer.call('SendMessage', sendParams('second', { taskId }, { returnImmediately: true }));
}

function textsOf(frames: readonly RpcFrame[]): string[] {
  return frames.flatMap(({ result }) => result.artifactUpdate?.artifact.parts[0]?.text || []);
}
