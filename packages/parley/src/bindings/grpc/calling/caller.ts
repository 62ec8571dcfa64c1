import { checkFileEncoding, FILES_HEADER, FileHabits } from '../../../dialects/file-encoding.ts';
import { A2AError, isA2AError } from '../../../model/errors/errors.ts';
import type { OperationInputs, OperationName } from '../../../model/operations.ts';
import type { BindingCaller, BindingCallerOptions, BindingCallOptions, ReceivedEvent } from '../../caller.ts';
import { subjectOf } from '../../http/error-subject.ts';
import { readMessage } from '../codec/read.ts';
import { writeMessage } from '../codec/write.ts';
import { GRPC } from '../name.ts';
import type { Rpc } from '../services.ts';
import { type Carried, sendCarried } from './call/carried.ts';
import { textIn } from './call/metadata.ts';
import { takePosition } from './call/positions.ts';
import { ReceivedEvents } from './call/received-events.ts';
import { StreamCall } from './call/stream-call.ts';
import { type OutgoingGrpc, UnaryCall } from './call/unary-call.ts';
import { channelOf } from './channels.ts';
import { errorOfStatus, type FailedCall } from './errors.ts';
import { formsOf } from './forms.ts';
import type { GrpcClientOptions } from './options.ts';
import type { Grpc } from './packages.ts';

/** Responses may be nested so deep; their size is limited, and so is what they can hold. */
const READ_LIMITS = { depth: 1000, values: Number.POSITIVE_INFINITY } as const;

/** Calls over gRPC (reference: v1-bindings §7; v03 §9). */
export function grpcCaller(grpc: Grpc, options: BindingCallerOptions, settings: GrpcClientOptions): BindingCaller {
  const { dialect, url, limits, timeout } = options;
  const habits = habitsOf(options);
  const forms = formsOf(dialect, habits);

  /** Writes a call; throws where the version has no such operation. */
  const prepared = <Name extends OperationName>(
    operation: Name,
    input: OperationInputs[Name],
    { signal }: BindingCallOptions,
  ) => {
    signal?.throwIfAborted();
    const json = forms.encodeRequest(operation, input);
    const rpc = forms.rpcs.get(operation);
    if (!rpc) throw new A2AError('UNSUPPORTED_OPERATION', `A2A ${dialect.version} has no ${operation} over gRPC`);
    const request = writeMessage(rpc.request, json);
    const failed: FailedCall = { url, dialect, subject: subjectOf(operation, input), requestBytes: request.length };
    const channel = channelOf(grpc, options, settings);
    const outgoing: OutgoingGrpc = { grpc, channel, path: rpc.path, request, deadline: undefined, signal };
    return { rpc, outgoing, failed };
  };

  const send = async (call: Carried & Partial<Pick<UnaryCall, 'head'>>, { headers, signal }: BindingCallOptions) => {
    const all = headersOf({ ...headers, 'a2a-version': dialect.version, ...habits.headers });
    const response = await sendCarried(options.fetch, url, call, all, signal);
    signal?.throwIfAborted();
    habits.notice(textIn(call.head, FILES_HEADER) ?? null);
    return response;
  };

  const read = (message: Uint8Array, { response }: Rpc, limit: number): unknown => {
    if (message.length > limit)
      throw new A2AError('INVALID_RESPONSE', `The response is larger than the ${limit} bytes that are allowed`);
    try {
      return readMessage(response, message, READ_LIMITS);
    } catch (cause) {
      const why = isA2AError(cause) ? `: ${cause.message}` : '';
      throw new A2AError('INVALID_RESPONSE', `The response cannot be read${why}`, { cause });
    }
  };

  return {
    async unary(operation, input, call) {
      const { rpc, outgoing, failed } = prepared(operation, input, call);
      const unary = new UnaryCall({ ...outgoing, deadline: timeout && Number.isFinite(timeout) ? timeout : undefined });
      await send(unary, call);
      if (unary.failure) throw errorOfStatus(unary.failure, failed);
      const json = read(unary.response ?? NO_BYTES, rpc, limits.bodyBytes);
      return forms.decodeResult(operation, json, input);
    },

    async stream(operation, input, call) {
      const { rpc, outgoing, failed } = prepared(operation, input, call);
      const stream = new StreamCall(outgoing);
      try {
        await send(stream, call);
      } catch (error) {
        stream.leave();
        throw error;
      }
      const errorOf = (failure: Parameters<typeof errorOfStatus>[0]) => errorOfStatus(failure, failed);
      if (stream.failure) throw errorOf(stream.failure);
      const readEvent = (message: Uint8Array): ReceivedEvent => {
        const json = read(message, rpc, limits.eventBytes);
        const id = takePosition(json);
        return { id, event: forms.decodeEvent(json), final: dialect.isFinal(json), size: message.length };
      };
      return new ReceivedEvents({ call: stream, signal: call.signal, read: readEvent, errorOf });
    },
  };
}

const NO_BYTES = new Uint8Array();

function headersOf(headers: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(headers);
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', 'gRPC cannot carry a header of the call', { cause });
  }
}

/** The encoding of files by the interface's server in 0.3: it holds for all later calls of the client. */
function habitsOf({ kept, fileEncoding, isOurs, dialect }: BindingCallerOptions): FileHabits {
  const known = kept?.get(GRPC);
  if (known instanceof FileHabits) return known;
  checkFileEncoding(fileEncoding);
  const habits = new FileHabits(fileEncoding, () => dialect.version === '0.3' && (isOurs?.() ?? false));
  kept?.set(GRPC, habits);
  return habits;
}
