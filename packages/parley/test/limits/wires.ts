import type { Mount } from 'parley-a2a/types';
import { expect } from 'vitest';
import type { Wire } from '../support/rpc.ts';

/** One way to send messages over the wire, and the body of a refusal there. */
export interface WireForm {
  readonly name: string;
  /** The request of a send; `stream` asks for one. */
  readonly request: (options?: { readonly stream?: boolean; readonly contextId?: string }) => {
    readonly path: string;
    readonly init: RequestInit;
  };
  /** The body of a refusal, as the dialect writes it. */
  readonly refusal: (expected: {
    readonly status: number;
    readonly limit: string;
    readonly seconds: number;
  }) => unknown;
  /** `X-RateLimit-*` stand there. */
  readonly hasLegacyFields?: boolean;
}

export const WIRE_MOUNTS: readonly Mount[] = [
  { path: '/cogitator', dialect: 'cogitator' },
  { path: '/jaf', dialect: 'jaf' },
  { path: '/draft', dialect: 'v1_draft' },
];

const TEXT: unknown = expect.any(String);
const NEWER = (contextId?: string) => ({
  messageId: crypto.randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text: 'go' }],
  ...(contextId && { contextId }),
});
const OLDER = (contextId?: string) => ({
  kind: 'message',
  messageId: crypto.randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text: 'go' }],
  ...(contextId && { contextId }),
});

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
  return { path, init };
}

function rpc(
  path: string,
  methods: readonly [send: string, stream: string],
  message: (contextId?: string) => unknown,
  headers?: Readonly<Record<string, string>>,
): WireForm['request'] {
  return ({ stream = false, contextId } = {}) => {
    const method = methods[stream ? 1 : 0];
    return post(path, { jsonrpc: '2.0', id: 'r-1', method, params: { message: message(contextId) } }, headers);
  };
}

/** The details of 1.0: the quota, when to come back, and the facts. */
function details(limit: string, seconds: number, code: string): Wire[] {
  const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;
  const quota = { '@type': type('QuotaFailure'), violations: [{ subject: limit, description: TEXT }] };
  return [
    ...(code === 'OVERLOADED' ? [quota] : []),
    { '@type': type('RetryInfo'), retryDelay: `${seconds}s` },
    {
      '@type': type('ErrorInfo'),
      reason: code,
      domain: 'a2a-protocol.org',
      metadata: expect.objectContaining({ limit }),
    },
  ];
}

const codeOf = (status: number) => (status === 503 ? 'UNAVAILABLE' : 'OVERLOADED');
const grpcOf = (status: number) => (status === 503 ? 'UNAVAILABLE' : 'RESOURCE_EXHAUSTED');

const envelope = (error: Wire) => ({ jsonrpc: '2.0', id: 'r-1', error });
const NEWER_RPC: WireForm['refusal'] = ({ status, limit, seconds }) =>
  envelope({ code: -32603, message: TEXT, data: details(limit, seconds, codeOf(status)) });
const OLDER_RPC: WireForm['refusal'] = ({ limit, seconds }) =>
  envelope({ code: -32603, message: TEXT, data: expect.objectContaining({ limit, retryAfter: String(seconds) }) });

/** 0.3 leaves `data` out, which clients of Go cannot read in one form or the other: the fields of the response tell all. */
const BARE_RPC: WireForm['refusal'] = () => envelope({ code: -32603, message: TEXT });

const JAF_KINDS: Readonly<Record<string, readonly [number, string]>> = {
  rate: [-32003, 'RateLimited'],
  load: [-32002, 'AgentUnavailable'],
};

/** Every dialect and binding. */
export const WIRES: readonly WireForm[] = [
  {
    name: '1.0 JSON-RPC',
    request: rpc('/a2a', ['SendMessage', 'SendStreamingMessage'], NEWER, { 'a2a-version': '1.0' }),
    refusal: NEWER_RPC,
  },
  {
    name: '1.0 HTTP+JSON',
    request: ({ stream = false, contextId } = {}) =>
      post(`/a2a/message:${stream ? 'stream' : 'send'}`, { message: NEWER(contextId) }, { 'a2a-version': '1.0' }),
    refusal: ({ status, limit, seconds }) => ({
      error: { code: status, status: grpcOf(status), message: TEXT, details: details(limit, seconds, codeOf(status)) },
    }),
  },
  {
    name: '0.3 JSON-RPC',
    request: rpc('/a2a', ['message/send', 'message/stream'], OLDER),
    refusal: BARE_RPC,
  },
  {
    name: '0.3 HTTP+JSON',
    request: ({ stream = false, contextId } = {}) =>
      post(`/a2a/v1/message:${stream ? 'stream' : 'send'}`, { message: OLDER(contextId) }),
    refusal: ({ status, limit, seconds }) =>
      expect.objectContaining({
        code: -32603,
        message: TEXT,
        error: {
          code: status,
          status: grpcOf(status),
          message: TEXT,
          details: details(limit, seconds, codeOf(status)),
        },
      }),
  },
  {
    name: 'rxjs',
    request: rpc('/api/a2a', ['message/send', 'message/stream'], OLDER),
    refusal: OLDER_RPC,
    hasLegacyFields: true,
  },
  { name: 'banterop', request: rpc('/a2a/v1', ['message/send', 'message/stream'], OLDER), refusal: BARE_RPC },
  {
    name: 'cogitator',
    request: rpc('/cogitator', ['message/send', 'message/stream'], OLDER),
    refusal: OLDER_RPC,
  },
  {
    name: 'jaf',
    request: rpc('/jaf', ['message/send', 'message/stream'], OLDER),
    refusal: ({ limit, seconds }) => {
      const [code, errorType] = JAF_KINDS[limit] ?? [-32007, 'ResourceExhausted'];
      const data = expect.objectContaining({ limit, errorType, retryAfter: String(seconds), requestId: 'r-1' });
      return envelope({ code, message: TEXT, data });
    },
    hasLegacyFields: true,
  },
  {
    name: 'v1_draft',
    request: rpc('/draft', ['SendMessage', 'SendStreamingMessage'], (contextId) => ({
      messageId: crypto.randomUUID(),
      role: 'user',
      parts: [{ text: 'go' }],
      ...(contextId && { contextId }),
    })),
    refusal: OLDER_RPC,
  },
];
