import { expect } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import type { Form } from './forms.ts';

const LONGEST_REFUSAL = 4_000;
const LONGEST_ECHO = 110;

/** The body of a response; of a stream, the data of its only event. */
export async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return text;
  const [data, ...others] = text.split('\n').filter((line) => line.startsWith('data: '));
  expect(others).toEqual([]);
  return (data ?? '').slice('data: '.length);
}

/** An error as the form writes it. Fails the test where it is none, is long, or repeats much of what was sent. */
export function expectShort(form: Form, text: string): { readonly code: number; readonly text: string } {
  expect(text.length).toBeLessThan(LONGEST_REFUSAL);
  expect(text).not.toMatch(new RegExp(`(.)\\1{${LONGEST_ECHO}}`));
  const body: Wire = JSON.parse(text);
  expect(typeof body.error?.message, text).toBe('string');
  if (form.binding === 'jsonrpc') expect(body.jsonrpc).toBe('2.0');
  return { code: body.error.code, text };
}
