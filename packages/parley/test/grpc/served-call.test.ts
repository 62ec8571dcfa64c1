import { Metadata, type ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { type MessageReader, ServedCall } from '../../src/adapters/grpc/served-call.ts';

const frame = (text: string) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
};

/** A call of a grpc-js that keeps its stream of HTTP/2 to itself. */
function closedCall() {
  const sent: string[] = [];
  const call = {
    sendMessage: (message: Buffer, done: () => void) => {
      sent.push(message.toString());
      queueMicrotask(done);
    },
    sendStatus: ({ code }: { code: number }) => void sent.push(`status ${code}`),
    startRead: () => {},
  };
  return { call: call as unknown as ServerInterceptingCallInterface, sent };
}

/** Notes what it is told. */
function readerOf(seen: unknown[]): MessageReader {
  const note = (word: string) => () => void seen.push(word);
  const message = (received: Buffer | undefined) => void seen.push(received?.toString());
  return { message, bytes: note('bytes'), unpacked: () => true, gone: note('gone'), tooLarge: note('too large') };
}

it('writes messages one by one where the library keeps its stream to itself, and tells when it is free', async () => {
  const { call, sent } = closedCall();
  const served = new ServedCall(call, new Metadata());
  const { promise: free, resolve } = Promise.withResolvers<void>();
  expect(served.write(Buffer.concat([frame('one'), frame(''), frame('three')]), resolve)).toBe(false);
  await free;
  served.end();
  expect(sent).toEqual(['one', '', 'three', 'status 0']);
});

it('hands on one message, without the bytes before it, where the library keeps its stream to itself', () => {
  const served = new ServedCall(closedCall().call, new Metadata());
  const seen: unknown[] = [];
  served.read(readerOf(seen));
  served.received(Buffer.from('hello'));
  served.stopReading();
  served.received(Buffer.from('more'));
  served.cancelled();
  expect(seen).toEqual(['hello']);
});

it('tells a reader once that the client has left before its message was there', () => {
  const served = new ServedCall(closedCall().call, new Metadata());
  const seen: unknown[] = [];
  served.read(readerOf(seen));
  served.cancelled();
  served.cancelled();
  served.received(Buffer.from('late'));
  expect(seen).toEqual(['gone']);
});

it('ends a call with its only message, one after the other, where the library keeps its stream to itself', async () => {
  const { call, sent } = closedCall();
  new ServedCall(call, new Metadata()).endWith(frame('all'));
  await Promise.resolve();
  expect(sent).toEqual(['all', 'status 0']);
});

it('tells those who still listen that the client has left', () => {
  const served = new ServedCall(closedCall().call, new Metadata());
  const told: string[] = [];
  served.onCancel(() => told.push('first'));
  const leave = served.onCancel(() => told.push('second'));
  leave();
  expect(served.isGone).toBe(false);
  served.cancelled();
  expect([told, served.isGone]).toEqual([['first'], true]);
});
