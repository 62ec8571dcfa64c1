import { expect, it } from 'vitest';
import { readMessage } from '../../src/bindings/grpc/codec/read.ts';
import { writeFrame, writeFrames } from '../../src/bindings/grpc/codec/write.ts';
import { TaskSchema } from '../../src/bindings/grpc/gen/a2a/v1/a2a_pb.ts';

const task = (id: number, size: number) => ({
  id: `t-${id}`,
  contextId: 'c'.repeat(size),
  status: { state: 'TASK_STATE_WORKING' },
});

it('leaves messages as they were written, whatever is written after them into the same buffer', () => {
  // Small ones, ones that fill a buffer, ones that make it grow, and one that is too large to be kept.
  const sizes = [10, 5000, 70_000, 3, 61_000, 400, 2_000_000, 1, 200_000, 12];
  const written = Array.from({ length: 60 }, (_, id) => {
    const json = task(id, sizes[id % sizes.length] as number);
    if (id % 7 === 3) expect(() => writeFrame(TaskSchema, { id: { toString: () => fail() } })).toThrow('half written');
    return { json, frame: id % 5 === 0 ? writeFrames(TaskSchema, [json]) : writeFrame(TaskSchema, json) };
  });
  for (const { json, frame } of written) {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
    expect([bytes[0], bytes.readUInt32BE(1)]).toEqual([0, bytes.length - 5]);
    expect(readMessage(TaskSchema, bytes.subarray(5))).toEqual(json);
  }
});

it('keeps what is kept in memory of its own', () => {
  expect(writeFrames(TaskSchema, [task(1, 10)]).buffer.byteLength).toBeLessThan(100);
  expect(writeFrame(TaskSchema, task(1, 10)).buffer.byteLength).toBeGreaterThan(10_000);
});

function fail(): never {
  throw new Error('half written');
}
