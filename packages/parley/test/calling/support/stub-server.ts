import type { ExchangeRequest } from '../../../src/bindings/exchange.ts';
import { JsonRpcBinding } from '../../../src/bindings/jsonrpc/server.ts';
import type { BindingOptions } from '../../../src/bindings/options.ts';
import type { ErrorTable } from '../../../src/bindings/rest/errors.ts';
import { RestBinding } from '../../../src/bindings/rest/server.ts';
import type { Service } from '../../../src/bindings/service.ts';
import { ANONYMOUS, type Call, type NewCall } from '../../../src/model/call.ts';
import { DEFAULT_INPUT_LIMITS } from '../../../src/model/input-limits.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  UnaryOperationName,
} from '../../../src/model/operations.ts';
import type { Message } from '../../../src/model/task.ts';
import { RequestCall } from '../../../src/server/http/request-call.ts';
import type { BindingName, Fetch } from './callers.ts';

export interface StubOptions {
  readonly unary: <Name extends UnaryOperationName>(operation: Name, input: OperationInputs[Name]) => unknown;
  /** Streams of our server are tried over sockets; here one is answered with a message. */
  readonly reply?: (operation: OperationName, input: unknown) => Message;
  readonly errorTable?: ErrorTable;
}

/** Our server's half of a binding over any operations: what it read reaches `unary`, what that gives is written. */
export function stubServer(binding: BindingName, { unary, reply, errorTable = '1.0.1' }: StubOptions): Fetch {
  const service: Service = {
    admit: () => [],
    unary: async <Name extends UnaryOperationName>({ operation }: Call<Name>, input: OperationInputs[Name]) => ({
      result: unary(operation, input) as OperationResults[Name],
    }),
    stream: async ({ operation }, input) => {
      if (!reply) throw new Error('No stream was expected');
      return { kind: 'reply', message: reply(operation, input), extensions: [] };
    },
  };
  const options: BindingOptions = {
    lenient: false,
    batch: false,
    errorTable,
    depth: 200,
    keepAlive: Number.POSITIVE_INFINITY,
    streamTimeout: Number.POSITIVE_INFINITY,
    now: () => 0,
    after: () => () => {},
    onInternalError: () => {},
  };
  const rpc = new JsonRpcBinding(options);
  const rest = new RestBinding(options);
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search, searchParams } = new URL(request.url);
    const exchange: ExchangeRequest = {
      method: request.method,
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
      peer: {},
    };
    const newCall: NewCall = (details) => new RequestCall(exchange, 'stub', ANONYMOUS, details);
    const path = pathname.slice('/a2a'.length);
    const limits = DEFAULT_INPUT_LIMITS;
    const call = { request: exchange, query: searchParams, path, place: 'agent', service, newCall, limits } as const;
    const { status, headers, body } = await (binding === 'JSONRPC' ? rpc : rest).handle(call);
    if (typeof body === 'object') throw new Error('No stream was expected');
    return new Response(body ?? null, { status, headers: headers as Record<string, string> });
  };
}
