import { create, toBinary } from '@bufbuild/protobuf';
import { Role, SendMessageRequestSchema } from '../../../packages/parley/src/bindings/grpc/gen/a2a/v1/a2a_pb.ts';
import { messageOf, type Script } from '../requests.ts';

export const SEND = '/lf.a2a.v1.A2AService/SendMessage';
export const SEND_STREAMING = '/lf.a2a.v1.A2AService/SendStreamingMessage';

/** A request that sends a message, as one message of gRPC. */
export function grpcSend(script: Script): Buffer {
  const { messageId, parts } = messageOf(script);
  const message = {
    messageId,
    role: Role.USER,
    parts: parts.map(({ text }) => ({ content: { case: 'text' as const, value: text } })),
  };
  const bytes = toBinary(SendMessageRequestSchema, create(SendMessageRequestSchema, { message }));
  const framed = Buffer.alloc(bytes.length + 5);
  framed.writeUInt32BE(bytes.length, 1);
  framed.set(bytes, 5);
  return framed;
}
