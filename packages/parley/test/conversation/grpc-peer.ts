import { fromBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { readMessage } from '../../src/bindings/grpc/codec/read.ts';
import { writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import { ErrorInfoSchema } from '../../src/bindings/grpc/gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../src/bindings/grpc/gen/google/rpc/status_pb.ts';
import { GRPC_SERVICES, type Rpc } from '../../src/bindings/grpc/services.ts';
import type { OperationName } from '../../src/model/operations.ts';
import type { Wire } from '../support/rpc.ts';
import type { Form } from './forms.ts';
import { type Frame, type Frames, type Peer, PeerError, type Sending } from './peer.ts';

const RESUME = 'urn:parley:ext:resume:v1';
const asIs = (bytes: Uint8Array) => bytes as Buffer;

/** A2A over gRPC. In 0.3 a send that waits must say so, and a history of no length cannot be asked for. */
export function grpcPeer(address: string, version: '1.0' | '0.3', form: Form): Peer & { close(): void } {
  const client = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const rpcOf = (operation: OperationName): Rpc => {
    const rpc = GRPC_SERVICES[version].rpcs.get(operation);
    if (!rpc) throw new Error(`There is no ${operation} in ${version}`);
    return rpc;
  };
  const metadataOf = (more: Readonly<Record<string, string>>) => {
    const metadata = new Metadata();
    const extensions = { [version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions']: RESUME };
    for (const [name, value] of Object.entries({ 'a2a-version': version, ...extensions, ...more }))
      metadata.set(name, value);
    return metadata;
  };
  const call = (operation: OperationName, json: Wire, more: Readonly<Record<string, string>> = {}) =>
    new Promise<Wire>((resolve, reject) => {
      const { path, request, response } = rpcOf(operation);
      client.makeUnaryRequest(path, asIs, asIs, writeMessage(request, json), metadataOf(more), {}, (error, bytes) =>
        error || !bytes ? reject(peerError(error as ServiceError)) : resolve(readMessage(response, bytes)),
      );
    });
  const open = async (operation: OperationName, json: Wire, more: Readonly<Record<string, string>> = {}) => {
    const { path, request, response } = rpcOf(operation);
    const stream = client.makeServerStreamRequest(path, asIs, asIs, writeMessage(request, json), metadataOf(more));
    const messages = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    return framesOf(
      messages,
      (bytes) => form.readEvent(withoutPosition(readMessage(response, bytes))),
      response,
      () => stream.cancel(),
    );
  };
  const send = (sending: Sending): Wire => {
    const asked = version === '0.3' && sending.atOnce === undefined ? { ...sending, atOnce: false } : sending;
    return form.encodeSend(asked);
  };
  const keyOf = ({ key }: Sending): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });
  const named = (id: string): Wire => (version === '1.0' ? { id } : { name: `tasks/${id}` });
  return {
    name: `${version} over gRPC`,
    version,
    send: async (sending) => form.readAnswer(await call('sendMessage', send(sending), keyOf(sending))),
    stream: (sending) => open('sendStreamingMessage', send(sending), keyOf(sending)),
    get: async (id, historyLength) => form.readTask(await call('getTask', { ...named(id), historyLength })),
    cancel: async (id) => form.readTask(await call('cancelTask', named(id))),
    subscribe: (id, position) =>
      open('subscribeToTask', named(id), position === undefined ? {} : { 'a2a-last-event-id': String(position) }),
    list: undefined,
    callUnknown: () => call('getTask', {}),
    sendAs: () => Promise.reject(new Error('gRPC has one content type')),
    close: () => client.close(),
  };
}

function framesOf(
  messages: AsyncIterator<Buffer>,
  read: (bytes: Buffer) => Frame['event'],
  response: Rpc['response'],
  cancel: () => void,
): Frames {
  const next = async (): Promise<Frame | undefined> => {
    const step = await messages.next().catch((error: unknown) => {
      throw peerError(error as ServiceError);
    });
    if (step.done) return undefined;
    return { id: positionOf(readMessage(response, step.value)), event: read(step.value) };
  };
  const until = async (fits: (frame: Frame) => boolean): Promise<Frame[]> => {
    const frames: Frame[] = [];
    for (let frame = await next(); frame; frame = await next()) {
      frames.push(frame);
      if (fits(frame)) break;
    }
    return frames;
  };
  return { next, until, rest: () => until(() => false), close: async () => cancel() };
}

function holderOf(event: Wire): Wire {
  return event.task ?? event.message ?? event.statusUpdate ?? event.artifactUpdate;
}

function positionOf(event: Wire): number | undefined {
  return holderOf(event).metadata?.[RESUME]?.seq;
}

/** The event as other bindings have it: the position is beside it there. */
function withoutPosition(event: Wire): Wire {
  const holder = holderOf(event);
  const note = holder.metadata?.[RESUME];
  if (note === undefined) return event;
  delete note.seq;
  if (Object.keys(note).length === 0) delete holder.metadata[RESUME];
  if (Object.keys(holder.metadata).length === 0) delete holder.metadata;
  return event;
}

function peerError({ metadata, details, code }: ServiceError): PeerError {
  const [bytes] = metadata.get('grpc-status-details-bin');
  const all = bytes === undefined ? [] : fromBinary(StatusSchema, bytes as Buffer).details;
  const info = all.find(({ typeUrl }) => typeUrl.endsWith('ErrorInfo'));
  return new PeerError(info ? fromBinary(ErrorInfoSchema, info.value).reason : `status ${code}`, details);
}
