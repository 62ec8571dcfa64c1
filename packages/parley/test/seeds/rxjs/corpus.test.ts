import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callRxjs } from '../../../src/dialects/v0_3/rxjs/calling.ts';
import { rxjs, rxjsOlder } from '../../../src/dialects/v0_3/rxjs/index.ts';
import type { SendInput } from '../../../src/model/operations.ts';
import type { Wire } from '../../support/rpc.ts';

const PAYLOADS: Wire = JSON.parse(readFileSync(new URL('../../corpus/rxjs/payloads.json', import.meta.url), 'utf8'));

/** Times are written with milliseconds, as the document's own code makes them. */
const withMilliseconds = (value: unknown) => JSON.stringify(value).replaceAll(/:(\d\d)Z"/g, ':$1.000Z"');

const frames: Wire[] = PAYLOADS.frames.filter((frame: Wire) => frame.error === undefined);
const sends: Wire[] = PAYLOADS.bodies.filter((body: Wire) => body.method === 'message/stream');

describe('the document’s payloads (S0.1) (S0.4) (S0.6) (S0.7)', () => {
  it.each(frames.map((frame) => [JSON.stringify(frame).slice(0, 100), frame]))('%s', (_, frame) => {
    const result = frame.result ?? frame;
    const written = rxjs.encodeEvent(callRxjs.decodeEvent(result));
    expect(JSON.stringify(written)).toBe(withMilliseconds(result));
  });

  it.each(sends.map((send) => [send.params.message.messageId, send]))('message %s', (_, { params }) => {
    const input = rxjs.decode.sendStreamingMessage(params);
    const { message } = callRxjs.encodeRequest.sendStreamingMessage(input) as { message: unknown };
    expect(message).toEqual(params.message);
  });

  it('has an answer that names its task only as a reference, with a tool-result part (S0.7)', () => {
    const { params } = sends.find(({ params: { message } }) => message.referenceTaskIds?.[0] === 'task-789');
    const input: SendInput = rxjs.decode.sendStreamingMessage(params);
    expect(input).toMatchObject({ bringsResult: true, toolsUndeclared: true, asTask: true });
    expect(input.message.parts[1]).toMatchObject({
      kind: 'data',
      data: { kind: 'tool-result', toolUseId: 'input-1', result: { value: 'secret-key-123' } },
    });
  });

  it('has a way to come back with tasks/get by taskId (S0.8)', () => {
    const { method, params } = PAYLOADS.bodies.find((body: Wire) => body.method === 'tasks/get');
    expect(rxjs.quirks?.operationOf?.(method, params)).toBe('subscribeToTask');
    expect(rxjs.quirks?.operationOf?.(method, { id: 'task-123' })).toBe('getTask');
    expect(rxjs.decode.subscribeToTask(params)).toMatchObject({ id: 'task-123', alsoEnded: true });
    expect(callRxjs.encodeRequest.subscribeToTask({ tenant: '', id: 'task-123' })).toEqual(params);
  });

  it('has errors that callers understand (S0.9) (S0.10)', () => {
    const [missing, timeout] = PAYLOADS.frames.filter((frame: Wire) => frame.error).map((frame: Wire) => frame.error);
    expect(callRxjs.decodeError(missing, 'getTask')).toMatchObject({
      code: 'TASK_NOT_FOUND',
      metadata: { taskId: 'task-999' },
    });
    expect(callRxjs.decodeError(timeout, 'sendStreamingMessage')).toMatchObject({
      code: 'TASK_NOT_COMPLETED',
      reason: 'INPUT_TIMEOUT',
      metadata: { timeoutSeconds: '300' },
    });
  });
});

describe('the older spellings (S0.21)', () => {
  const ids = { taskId: 'task-123', contextId: 'ctx-1' };
  const started = { kind: 'task', id: 'task-123', contextId: 'ctx-1', status: { state: 'started', timestamp: '' } };
  const update = {
    kind: 'artifact-update',
    ...ids,
    index: 0,
    part: { kind: 'text', text: 'Result content here...', index: 0, append: false },
    timestamp: '2025-10-30T10:00:00.000Z',
  };

  it('are read', () => {
    expect(callRxjs.decodeEvent(started)).toMatchObject({ kind: 'task', task: { status: { state: 'submitted' } } });
    expect(callRxjs.decodeEvent(update)).toMatchObject({
      kind: 'artifact',
      artifact: { artifactId: 'artifact-0', parts: [{ text: 'Result content here...' }] },
      append: false,
    });
  });

  it('are written at a mount of their own', () => {
    const encoder = rxjsOlder.quirks?.streamEncoder?.({ tenant: '', id: 'task-123' });
    const status = { state: 'submitted' as const, timestamp: update.timestamp };
    const task = { id: 'task-123', contextId: 'ctx-1', status, artifacts: [], history: [] };
    const parts = [{ kind: 'text' as const, text: 'Result content here...' }];
    const chunk = { kind: 'artifact' as const, ...ids, artifact: { artifactId: 'a', parts }, lastChunk: false };
    const written = encoder?.encode([
      { kind: 'task', task },
      { ...chunk, append: false },
      { ...chunk, append: true },
    ]);
    expect(written?.[0]).toMatchObject({ result: { kind: 'task', status: { state: 'started' } } });
    expect(JSON.stringify(written?.[1])).toBe(JSON.stringify({ result: { ...update, artifactId: 'a' } }));
    expect(written?.[2]).toMatchObject({ result: { index: 0, part: { index: 1, append: true } } });
  });
});
