import type { RestCallRequest } from '../../dialects/calling/calling.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { BindingCaller, BindingCallerOptions } from '../caller.ts';
import { httpCaller } from '../http/caller.ts';
import { subjectOf } from '../http/error-subject.ts';
import type { Outgoing } from '../http/response.ts';

/** Calls over HTTP+JSON (reference: v1-bindings §5; v03 §8). */
export function restCaller(options: BindingCallerOptions): BindingCaller {
  const { dialect, url, fileEncoding } = options;
  const { version } = dialect;
  if (!('encodeRequest' in dialect.rest))
    throw new A2AError('UNSUPPORTED_OPERATION', `A2A ${version} has no HTTP+JSON here`);
  const rest = (fileEncoding && dialect.rest.withFiles?.(fileEncoding)) ?? dialect.rest;
  return httpCaller(options, (operation, input) => {
    const { otherVerb, ...request } = rest.encodeRequest[operation](input);
    const outgoing = ({ verb, body, ...place }: RestCallRequest): Outgoing => ({
      url: addressOf(url, place),
      method: verb,
      headers: { 'a2a-version': version, ...(body !== undefined && { 'content-type': rest.mediaType }) },
      body,
    });
    const others = otherVerb ? [outgoing({ ...request, verb: otherVerb, body: undefined })] : [];
    return {
      requests: [outgoing(request), ...others],
      accept: rest.accept,
      subject: subjectOf(operation, input),
      resultOf: (payload) => {
        const isObject = isPlainObject(payload);
        const error = isObject && payload.error !== undefined && rest.decodeError(payload, operation);
        if (error) throw error;
        // Servers that share their streams between the bindings leave the envelope of JSON-RPC around the events.
        return isObject && payload.jsonrpc !== undefined && payload.result !== undefined ? payload.result : payload;
      },
      decodeResult: rest.decodeResult[operation as keyof typeof rest.decodeResult],
      decodeEvents: (event) => [rest.decodeEvent(event)],
    };
  });
}

/** The routes below the interface's address, whose own query stays. */
function addressOf(base: string, { path, query }: Pick<RestCallRequest, 'path' | 'query'>): string {
  const url = new URL(base);
  url.hash = '';
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
