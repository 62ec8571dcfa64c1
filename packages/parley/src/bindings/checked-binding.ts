import { OFFERED_DIALECTS } from '../dialects/detect.ts';
import { A2AError } from '../model/errors/errors.ts';
import type { BindingResponse, ServedBinding, ServerBinding } from './binding.ts';
import type { ExchangeResponse, ResponseStream } from './exchange.ts';
import { IteratedStream } from './iterated-stream.ts';
import type { BindingOptions } from './options.ts';

/** Throws a TypeError for a value that is no binding. `place`: its name in errors. */
export function requireBinding(place: string, given: unknown): asserts given is ServerBinding {
  if (!isObject(given)) throw new TypeError(`${place} must be an object with protocolBinding, path and serve`);
  const { protocolBinding, path, serve, methods, versions } = given;
  if (typeof protocolBinding !== 'string' || protocolBinding === '') {
    throw new TypeError(`${place}: a binding needs a protocolBinding: a URI that names it on cards`);
  }
  const of = `The binding ${protocolBinding}`;
  if (typeof path !== 'string') throw new TypeError(`${of} needs a path, such as "/lines"`);
  if (typeof serve !== 'function') throw new TypeError(`${of} needs a function serve`);
  requireNames(`methods of the binding ${protocolBinding}`, methods);
  requireNames(`versions of the binding ${protocolBinding}`, versions);
  const known = OFFERED_DIALECTS.map(({ version }) => version);
  const unknown = versions?.find((version) => !known.includes(version));
  if (unknown !== undefined) {
    throw new TypeError(`${of} names a version "${unknown}" that no card has; there are ${known.join(', ')}`);
  }
}

function requireNames(what: string, given: unknown): asserts given is readonly string[] | undefined {
  if (given === undefined || (Array.isArray(given) && given.every((name) => typeof name === 'string'))) return;
  throw new TypeError(`${what} must be a list of names`);
}

/** Has a binding of others serve, and looks at each of its responses: a wrong one fails its request, and nothing else. */
export function servedAndChecked(binding: ServerBinding, options: BindingOptions): ServedBinding {
  const served: unknown = binding.serve(options);
  requireServed(binding, served);
  const onFailure = (error: unknown) => void options.onInternalError(A2AError.from(error));
  const checked = (response: unknown) => checkedResponse(binding, response, onFailure);
  return {
    handle: async (call) => checked(await served.handle(call)),
    refuse: (request, error) => checked(served.refuse(request, error)),
    wantsBody: (request) => served.wantsBody?.(request) ?? true,
  };
}

function requireServed(
  { protocolBinding }: ServerBinding,
  served: unknown,
): asserts served is ServedBinding<BindingResponse> {
  if (isObject(served) && typeof served.handle === 'function' && typeof served.refuse === 'function') return;
  throw new TypeError(`serve of the binding ${protocolBinding} must return the functions handle and refuse`);
}

function checkedResponse(
  { protocolBinding }: ServerBinding,
  response: unknown,
  onFailure: (error: unknown) => void,
): ExchangeResponse {
  const wrong = (what: string) => new TypeError(`A response of the binding ${protocolBinding} ${what}`);
  if (!isObject(response)) throw wrong('must have a status, headers and a body');
  const { status, headers, body } = response;
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599) {
    throw wrong(`must have a status from 200 to 599, not ${String(status)}`);
  }
  if (!isObject(headers) || Object.values(headers).some((value) => typeof value !== 'string')) {
    throw wrong('must have headers whose values are texts');
  }
  if (body === undefined || typeof body === 'string' || isStream(body)) return response as unknown as ExchangeResponse;
  if (body === null) return { ...(response as unknown as ExchangeResponse), body: undefined };
  if (!isIterable(body)) throw wrong('must have a body that is a text, a stream or an async iterable');
  return { ...(response as unknown as ExchangeResponse), body: new IteratedStream(body, onFailure) };
}

function isStream(body: unknown): body is ResponseStream {
  return isObject(body) && ['read', 'whenReadable', 'close'].every((name) => typeof body[name] === 'function');
}

function isIterable(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return isObject(body) && typeof (body as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
