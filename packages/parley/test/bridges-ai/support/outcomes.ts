import { streamText } from 'ai';
import { a2aModel } from 'parley-a2a/llm';
import type { Served } from './served.ts';

export const prompt = 'Go';

/** Everything of a stream, as its reader sees it. */
export async function streamed(kit: Served, more = {}) {
  const errors: unknown[] = [];
  const onError = ({ error }: { readonly error: unknown }) => void errors.push(error);
  const result = streamText({ model: a2aModel(kit.client), prompt, onError, ...more });
  const parts: { readonly type: string }[] = [];
  for await (const part of result.fullStream) parts.push(part);
  return { result, parts, errors };
}
