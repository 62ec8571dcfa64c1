import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FORMS } from './support/all-forms.ts';
import { anyJson } from './support/arbitraries.ts';
import { type Form, requestOf } from './support/forms.ts';
import { type Subject, startSubject } from './support/subject.ts';

const EXTENSION = 'urn:parley:ext:resume:v1';
const NOTHING = { tasks: 0, feeds: 0, subscriptions: 0 };

const NO_POSITIONS: readonly unknown[] = [
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  '-1',
  '1.5',
  'x',
  '1e1',
  '',
  ' 1',
  true,
  [],
  [1],
  {},
];

/** The first piece of a stream; then the reader goes away. */
async function firstPiece(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

function subscribe(subject: Subject, form: Form, id: string, position: unknown): Promise<Response> {
  const params = { id, metadata: { [EXTENSION]: position } };
  return subject.server.fetch(requestOf(form, 'subscribeToTask', params));
}

describe.each(FORMS)('$name', (form) => {
  it.each(
    NO_POSITIONS,
  )('what is no position of the log starts with the task: %j [rule:resume.gap]', async (position) => {
    const subject = startSubject();
    const { id } = await subject.peer.send('ask');
    const response = await subscribe(subject, form, id, position);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const first = await firstPiece(response);
    expect(first).toMatch(/"history":\[/);
    expect(first).toMatch(/"urn:parley:ext:resume:v1":\{"gap":"(ahead|malformed)","asked":"/);
    await eventually(() => subject.server.load).toEqual(NOTHING);
  });

  it('any JSON for a position gives a stream or an error, and is held no longer than it is read', async () => {
    const subject = startSubject();
    const { id } = await subject.peer.send('ask');
    await fc.assert(
      fc.asyncProperty(anyJson, async (position) => {
        const response = await subscribe(subject, form, id, position);
        expect(response.status).toBeLessThan(500);
        // A right position at the end of the log has nothing to show yet.
        if (typeof position === 'number' || typeof position === 'string') await response.body?.cancel();
        else expect(await firstPiece(response)).not.toBe('');
      }),
      { numRuns: 60 },
    );
    await eventually(() => subject.server.load).toEqual(NOTHING);
    await subject.expectHealthy();
  });
});
