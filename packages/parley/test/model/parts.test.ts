import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SKILLS_EXTENSION } from '../../src/model/extensions/skills.ts';
import { bytes, bytesOf, dataOf, json, link, text, textOf } from '../../src/model/parts.ts';
import type { Task } from '../../src/model/task.ts';

const task = (artifacts: Task['artifacts'], said?: string): Task => ({
  id: 't',
  contextId: 'c',
  status: {
    state: 'completed',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: said === undefined ? undefined : { messageId: 'm', role: 'agent', parts: [text(said)] },
  },
  artifacts,
  history: [],
});

describe('part constructors', () => {
  it('make parts with their attributes', () => {
    expect(text('hi', { mediaType: 'text/html' })).toEqual({ kind: 'text', text: 'hi', mediaType: 'text/html' });
    expect(link(new URL('https://example.com/a.pdf'))).toEqual({ kind: 'link', url: 'https://example.com/a.pdf' });
    expect(json(null)).toEqual({ kind: 'data', data: null });
    expect(bytes('hi', { filename: 'hi.txt' })).toEqual({ kind: 'bytes', bytes: 'aGk=', filename: 'hi.txt' });
  });

  it('keep any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100_000 }), (content) => {
        expect(bytesOf(bytes(content))).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });
});

describe('textOf', () => {
  it('joins the text parts of whatever holds text', () => {
    expect(textOf('plain')).toBe('plain');
    expect(textOf(text('part'))).toBe('part');
    expect(textOf(json(1))).toBe('');
    expect(textOf([text('a'), json(1), text('b')])).toBe('ab');
    expect(textOf({ messageId: 'm', role: 'user', parts: [text('a'), text('b')] })).toBe('ab');
  });

  it("gives a task's artifacts, or where they have no text its status message", () => {
    const artifacts = [
      { artifactId: '1', parts: [text('one')] },
      { artifactId: '2', parts: [json(2)] },
      { artifactId: '3', parts: [text('three')] },
    ];
    expect(textOf(task(artifacts, 'said'))).toBe('one\n\nthree');
    expect(textOf(task([], 'said'))).toBe('said');
    expect(textOf(task([]))).toBe('');
  });
});

describe('dataOf', () => {
  it('is the last data part of what holds some', () => {
    expect(dataOf(json({ a: 1 }))).toEqual({ a: 1 });
    expect(dataOf(text('a'))).toBeUndefined();
    expect(dataOf([json(1), text('a'), json(null)])).toBeNull();
    expect(dataOf({ messageId: 'm', role: 'user', parts: [text('a'), json(2)] })).toBe(2);
    expect(dataOf({ artifactId: '1', parts: [] })).toBeUndefined();
  });

  it("prefers a task's declared result to its other artifacts, and those to its status message", () => {
    const declared = { artifactId: '1', extensions: [SKILLS_EXTENSION], parts: [json('result')] };
    const other = { artifactId: '2', parts: [json('other')] };
    expect(dataOf(task([declared, other]))).toBe('result');
    expect(dataOf(task([other]))).toBe('other');
    expect(dataOf(task([], 'said'))).toBeUndefined();
    const asking = task([]);
    const message = { messageId: 'm', role: 'agent' as const, parts: [json('asked')] };
    expect(dataOf({ ...asking, status: { ...asking.status, message } })).toBe('asked');
  });
});
