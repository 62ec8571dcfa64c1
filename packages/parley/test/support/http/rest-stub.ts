import type { EventStream } from '../../../src/bindings/event-stream.ts';
import type { ResponseStream } from '../../../src/bindings/exchange.ts';
import type { BindingOptions } from '../../../src/bindings/options.ts';
import { RestBinding } from '../../../src/bindings/rest/server.ts';
import type { Service } from '../../../src/bindings/service.ts';
import { ANONYMOUS } from '../../../src/model/call.ts';
import { DEFAULT_INPUT_LIMITS } from '../../../src/model/input-limits.ts';
import type { OperationName, OperationResults } from '../../../src/model/operations.ts';
import type { Task } from '../../../src/model/task.ts';
import { RequestCall } from '../../../src/server/http/request-call.ts';
import type { Wire } from '../rpc.ts';

export interface StubbedCall {
  readonly operation: OperationName;
  readonly input: Wire;
}

export interface StubbedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was written; streams too, as a whole. */
  readonly text: string;
}

export interface StubbedRest {
  /** What reached the operations. */
  readonly calls: StubbedCall[];
  readonly request: (verb: string, target: string, body?: unknown) => Promise<StubbedAnswer>;
}

export const STUB_TASK: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'completed', timestamp: '2026-01-05T10:15:00.000Z' },
  artifacts: [],
  history: [],
};

const CONFIG = { id: 'cfg-1', taskId: 't-1', url: 'https://hooks.example/1' };

const RESULTS: OperationResults = {
  sendMessage: STUB_TASK,
  getTask: STUB_TASK,
  listTasks: { tasks: [STUB_TASK], nextPageToken: '', pageSize: 50, totalSize: 1, includeArtifacts: false },
  cancelTask: STUB_TASK,
  createPushConfig: CONFIG,
  getPushConfig: CONFIG,
  listPushConfigs: { configs: [CONFIG], nextPageToken: '' },
  deletePushConfig: undefined,
  getExtendedCard: {
    name: 'stub',
    description: 'A stub',
    version: '1.0.0',
    interfaces: [{ url: 'https://agent.example/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'stub', name: 'Stub', description: 'Answers', tags: ['test'] }],
  },
};

/** The HTTP+JSON binding over operations that all succeed, also those that no server offers yet. */
export function stubbedRest(options: Partial<BindingOptions> = {}): StubbedRest {
  const calls: StubbedCall[] = [];
  const service: Service = {
    admit: () => [],
    unary: async ({ operation }, input) => {
      calls.push({ operation, input });
      return { result: RESULTS[operation] };
    },
    stream: async ({ operation }, input) => {
      calls.push({ operation, input });
      return { kind: 'stream', events: finishedEvents(), extensions: [] };
    },
  };
  const binding = new RestBinding({
    lenient: true,
    batch: false,
    errorTable: '1.0.1',
    depth: 100,
    keepAlive: Number.POSITIVE_INFINITY,
    streamTimeout: Number.POSITIVE_INFINITY,
    now: () => 0,
    after: () => () => {},
    onInternalError: () => {},
    ...options,
  });
  return {
    calls,
    async request(verb, target, body) {
      const { pathname, search, searchParams } = new URL(target, 'http://stub');
      const headers = { 'a2a-version': '1.0', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const request = { method: verb, url: `${pathname}${search}`, headers, body, peer: {} };
      const response = await binding.handle({
        request,
        query: searchParams,
        path: pathname,
        place: 'agent',
        service,
        limits: DEFAULT_INPUT_LIMITS,
        newCall: (details) => new RequestCall(request, 'stub', ANONYMOUS, details),
      });
      let text = typeof response.body === 'string' ? response.body : '';
      if (typeof response.body === 'object') text = readAll(response.body);
      return { status: response.status, headers: response.headers, text };
    },
  };
}

/** A stream of which everything is ready from the beginning. */
function finishedEvents(): EventStream {
  let isRead = false;
  return {
    after: undefined,
    isShared: false,
    isComplete: true,
    get isOver() {
      return isRead;
    },
    poll() {
      if (isRead) return undefined;
      isRead = true;
      return { snapshot: { task: STUB_TASK, seq: 1 }, events: { records: [] } };
    },
    whenReady: (callback) => callback(),
    close: () => {},
    eventOf: () => undefined,
    textChunkOf: () => undefined,
  };
}

function readAll(body: ResponseStream): string {
  let text = '';
  for (let piece = body.read(); piece !== undefined; piece = body.read()) text += piece;
  return text;
}
