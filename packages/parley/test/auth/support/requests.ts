import type { AuthRequest, AuthTools } from 'parley-a2a/auth';
import { expect } from 'vitest';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { reasonOf } from '../../../src/server/auth/refusals.ts';

export function requestWith(headers: AuthRequest['headers'], more: Partial<AuthRequest> = {}): AuthRequest {
  return { method: 'POST', url: '/a2a', headers, peer: {}, ...more };
}

export function bearer(token: string): AuthRequest {
  return requestWith({ authorization: `Bearer ${token}` });
}

export function login(user: string, password: string): AuthRequest {
  return requestWith({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` });
}

export interface TestTools extends AuthTools {
  time: number;
  readonly lines: string[];
}

/** Tools with a clock that a test sets and a log that it reads. */
export function testTools(time = Date.parse('2026-03-01T12:00:00.000Z')): TestTools {
  const lines: string[] = [];
  const write = (message: string, details: Readonly<Record<string, unknown>>) => {
    lines.push(details.error instanceof Error ? `${message} ${details.error.toString()}` : message);
  };
  const tools: TestTools = { time, lines, now: () => tools.time, log: { error: write, warn: write } };
  return tools;
}

/** The refusal of a request: what the caller sees, and the reason that only the log gets. */
export async function refusalOf(attempt: () => unknown): Promise<{
  readonly code: string;
  readonly message: string;
  readonly why: string | undefined;
}> {
  try {
    await attempt();
  } catch (error) {
    if (!isA2AError(error)) throw error;
    return { code: error.code, message: error.message, why: reasonOf(error)?.message };
  }
  return expect.unreachable('The request was let in');
}
