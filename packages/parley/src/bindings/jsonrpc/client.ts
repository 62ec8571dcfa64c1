import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { isStreamOperation } from '../../model/operations.ts';
import type { BindingCaller, BindingCallerOptions } from '../caller.ts';
import { httpCaller } from '../http/caller.ts';
import { notA2A, withResponse } from '../http/response.ts';

/** Calls over JSON-RPC (reference: v1-bindings §4; v03 §4). */
export function jsonRpcCaller(options: BindingCallerOptions): BindingCaller {
  const { dialect, url } = options;
  const { version } = dialect;
  let lastId = 0;
  return httpCaller(options, (operation, input) => {
    const params = dialect.encodeRequest[operation](input);
    const rpcMethod = dialect.methodOf[operation];
    if (rpcMethod === undefined)
      throw new A2AError('UNSUPPORTED_OPERATION', `A2A ${version} has no operation ${operation}`);
    lastId += 1;
    const id = lastId;
    const request = {
      url,
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, ...(dialect.headers ?? { 'a2a-version': version }) },
      body: { jsonrpc: '2.0', id, method: rpcMethod, params },
    };
    const streamUrl = isStreamOperation(operation) && dialect.streamAddress?.(url);
    return {
      requests: streamUrl && streamUrl !== url ? [{ ...request, url: streamUrl }, request] : [request],
      accept: JSON_TYPE,
      isOwn: isEnvelope,
      resultOf: (envelope, response) => {
        if (!isPlainObject(envelope)) throw invalidEnvelope(response, 'it is not a JSON object');
        const { id: received, error } = envelope;
        if (dialect.bareEvents && isStreamOperation(operation) && !('jsonrpc' in envelope)) return envelope;
        const isError = error !== undefined && error !== null;
        // The result is null for a webhook that is deleted, and the servers of the Python and Go SDKs leave it out.
        if (!isError && !('result' in envelope) && operation !== 'deletePushConfig')
          throw invalidEnvelope(response, 'it has neither a result nor an error');
        // A server that could not read the request does not know its id.
        if (!isError || (received !== null && received !== undefined)) checkId(received, id, response);
        if (isError) throw withResponse(dialect.decodeError(error, operation), response);
        return envelope.result;
      },
      decodeResult: dialect.decodeResult[operation as keyof typeof dialect.decodeResult],
      decodeEvents: dialect.streamDecoder?.() ?? ((event) => [dialect.decodeEvent(event)]),
    };
  });
}

const JSON_TYPE = 'application/json';

function isEnvelope(body: unknown): boolean {
  return isPlainObject(body) && 'jsonrpc' in body && ('error' in body || 'result' in body);
}

/** Some servers make a text of the number; there is one request in every exchange, so that is clear enough. */
function checkId(received: unknown, sent: number, response: Response): void {
  if (received === sent || received === String(sent)) return;
  // An object may be too deep to be shown.
  const shown = typeof received === 'object' ? received && 'an object' : (JSON.stringify(received) ?? 'missing');
  throw invalidEnvelope(response, `its id is ${shown} instead of ${sent}`);
}

function invalidEnvelope(response: Response, problem: string): A2AError {
  return notA2A(response, '', `it is not valid JSON-RPC: ${problem}`);
}
