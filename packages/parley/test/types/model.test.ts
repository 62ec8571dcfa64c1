import {
  type Artifact,
  type BytesPart,
  bytes,
  bytesOf,
  type DataPart,
  isInterrupted,
  isTask,
  isTerminal,
  type JsonValue,
  json,
  type LinkPart,
  link,
  type Message,
  type Part,
  type Task,
  type TaskState,
  type TextPart,
  text,
  textOf,
} from 'parley-a2a';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { compiles } from './compiles.ts';

describe('part constructors', () => {
  it('make the kind that they are named after', () => {
    expectTypeOf(text('Hi', { mediaType: 'text/html' })).toEqualTypeOf<TextPart>();
    expectTypeOf(bytes(new Uint8Array(3), { filename: 'a.bin' })).toEqualTypeOf<BytesPart>();
    expectTypeOf(bytes('text')).toEqualTypeOf<BytesPart>();
    expectTypeOf(link(new URL('https://example.com'))).toEqualTypeOf<LinkPart>();
    expectTypeOf(json({ list: [1, 'two', null, { three: true }] })).toEqualTypeOf<DataPart>();
  });

  it('take nothing else', () => {
    // @ts-expect-error: a text part holds a string
    text(42);
    // @ts-expect-error: file names are called `filename`
    bytes('content', { name: 'a.bin' });
    // @ts-expect-error: a function is no JSON
    json(() => 42);
    // @ts-expect-error: nor is a date: give it a format first
    json({ when: new Date() });
    // @ts-expect-error: nor a big number
    json(42n);
  });
});

describe('the bytes of a part', () => {
  it('are what a Blob is made of', () => {
    expectTypeOf(bytesOf(bytes('abc'))).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
    compiles((part: BytesPart) => new Blob([bytesOf(part)], { type: part.mediaType ?? '' }));
  });
});

describe('a part', () => {
  it('is narrowed by its kind', () => {
    const contentOf = (part: Part): JsonValue => {
      switch (part.kind) {
        case 'text':
          expectTypeOf(part).toEqualTypeOf<TextPart>();
          return part.text;
        case 'bytes':
          expectTypeOf(part).toEqualTypeOf<BytesPart>();
          return bytesOf(part).length;
        case 'link':
          expectTypeOf(part).toEqualTypeOf<LinkPart>();
          return part.url;
        case 'data':
          expectTypeOf(part).toEqualTypeOf<DataPart>();
          return part.data;
        default:
          return part satisfies never;
      }
    };
    expect([text('a'), bytes('bc'), link('https://d'), json(4)].map(contentOf)).toEqual(['a', 2, 'https://d', 4]);
  });

  it('shows its content only when its kind is known', () => {
    // @ts-expect-error: it may be another kind
    compiles((part: Part) => part.text);
    // @ts-expect-error: only bytes have bytes
    compiles((part: Part) => bytesOf(part));
  });
});

describe('an answer', () => {
  it('is narrowed to a task or a message', () => {
    compiles((answer: Task | Message) => {
      if (isTask(answer)) expectTypeOf(answer).toEqualTypeOf<Task>();
      else expectTypeOf(answer).toEqualTypeOf<Message>();
    });
  });

  it('has its text read the same way as everything that has one', () => {
    expectTypeOf(textOf).returns.toEqualTypeOf<string>();
    expectTypeOf<string | Part | readonly Part[] | Message | Artifact | Task>().toExtend<
      Parameters<typeof textOf>[0]
    >();
    // @ts-expect-error: a number has no text
    expect(() => textOf(42)).toThrow();
  });
});

describe('a state', () => {
  it('is one of eight, or unknown', () => {
    expectTypeOf<TaskState>().toEqualTypeOf<
      | 'submitted'
      | 'working'
      | 'completed'
      | 'failed'
      | 'canceled'
      | 'input-required'
      | 'rejected'
      | 'auth-required'
      | 'unknown'
    >();
  });

  it('is narrowed by what it means', () => {
    compiles((state: TaskState) => {
      if (isTerminal(state)) expectTypeOf(state).toEqualTypeOf<'completed' | 'failed' | 'canceled' | 'rejected'>();
      else if (isInterrupted(state)) expectTypeOf(state).toEqualTypeOf<'input-required' | 'auth-required'>();
      else expectTypeOf(state).toEqualTypeOf<'submitted' | 'working' | 'unknown'>();
    });
  });
});
