import type { A2AClient } from '../../../client/every-dialect-client.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';
import { checkClock } from '../here/machine.ts';

/** Reads the card of a server, and what is wrong with it. */
export async function checkCard(client: A2AClient, url: string, signal: AbortSignal): Promise<Finding> {
  try {
    await client.agentCard({ signal });
  } catch (error) {
    return fail('card', `There is no card that could be used: ${textOf(error)}`, 'parley card URL says more');
  }
  const [problem, ...more] = client.cardProblems;
  const name = client.card?.name ?? '';
  if (problem !== undefined) {
    const others = more.length > 0 ? ` (and ${more.length} more)` : '';
    return warn(
      'card',
      `The card of ${name} has a fault: ${String(problem)}${others}`,
      'parley card URL lists them all',
    );
  }
  if (leadsElsewhere(client, url)) {
    const called = client.interface?.url ?? '';
    return warn(
      'card',
      `The card of ${name} leads to ${new URL(called).origin}, not to ${new URL(url).origin}`,
      'Set url (--url) of the server to the address that clients use',
    );
  }
  return ok('card', `The card of ${name} is valid`);
}

/** Tells whether the card names another origin: nothing is sent there. */
export function leadsElsewhere(client: A2AClient, url: string): boolean {
  const called = client.interface?.url;
  return called !== undefined && new URL(called).origin !== new URL(url).origin;
}

/** Asks whether the server would serve. Other servers than ours have no such address. */
export async function checkReadiness(url: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const begun = performance.now();
  try {
    const response = await fetch(new URL('/readyz?verbose', url), { signal, redirect: 'manual' });
    const date = Date.parse(response.headers.get('date') ?? '');
    const took = performance.now() - begun + 1000;
    const clock = Number.isNaN(date) ? [] : [checkClock(Date.now(), { time: date, took })];
    const body: unknown = await response.json().catch(() => undefined);
    const detail = typeof body === 'object' && body !== null && 'detail' in body ? String(body.detail) : '';
    if (response.status === 503)
      return [fail('ready', `The server is not ready: ${detail}`, 'See its log, and /readyz?verbose'), ...clock];
    // A page for every address says nothing of the server.
    if (response.status !== 200 || typeof body !== 'object')
      return [ok('ready', 'The server answers; it has no /readyz'), ...clock];
    return [ok('ready', 'The server is ready'), ...clock];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return [
      fail(
        'ready',
        `${new URL(url).origin} cannot be reached: ${textOf(cause)}`,
        'Is the server running, and is the address right?',
      ),
    ];
  }
}
