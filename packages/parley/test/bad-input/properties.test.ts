import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/model/operations.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { FORMS } from './support/all-forms.ts';
import { anyJson, nearly } from './support/arbitraries.ts';
import { callings, type Form, postTo, REQUEST_ID, requestOf } from './support/forms.ts';
import { problemsOfAnswer } from './support/replies.ts';
import { type Subject, startSubject } from './support/subject.ts';

/** Asks, and gives what is wrong with the answer; an answer that does not come is wrong too. */
async function problemsOf(subject: Subject, form: Form, operation: OperationName, request: Request): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve(['no answer']), PATIENCE_MS);
  });
  const answer = subject.server.fetch(request).then((response) => problemsOfAnswer(form, operation, response));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** A task that waits for input: it can be read, subscribed to and canceled. */
async function waitingTask(subject: Subject): Promise<string> {
  return (await subject.peer.send('ask')).id;
}

describe.each(FORMS)('$name', (form) => {
  it.each(
    callings(form),
  )('%s survives any JSON [rule:json.nothing-extra] [rule:errors.code-message]', async (operation) => {
    const subject = startSubject();
    await fc.assert(
      fc.asyncProperty(anyJson, async (params) => {
        expect(await problemsOf(subject, form, operation, requestOf(form, operation, params))).toEqual([]);
      }),
      { numRuns: 100 },
    );
    await subject.expectHealthy();
  });

  it.each(
    callings(form),
  )('%s survives requests that are nearly right [rule:json.nothing-extra] [rule:errors.code-message]', async (operation, calling) => {
    const subject = startSubject();
    const id = await waitingTask(subject);
    await fc.assert(
      fc.asyncProperty(nearly(calling.full(id)), async (params) => {
        expect(await problemsOf(subject, form, operation, requestOf(form, operation, params))).toEqual([]);
      }),
      { numRuns: 150 },
    );
    await subject.expectHealthy();
  });

  it('sends survive messages that are nearly right, without a webhook in their way [rule:json.nothing-extra]', async () => {
    const subject = startSubject();
    const { configuration: _, ...full } = form.operations.sendMessage?.full('') ?? {};
    await fc.assert(
      fc.asyncProperty(nearly(full), fc.boolean(), async (params, streaming) => {
        const operation = streaming ? 'sendStreamingMessage' : 'sendMessage';
        expect(await problemsOf(subject, form, operation, requestOf(form, operation, params))).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(subject.runs()).toBeGreaterThan(10);
    await subject.expectHealthy();
  });

  it('any bytes are answered [rule:errors.code-message]', async () => {
    const subject = startSubject();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const request = postTo(form, Uint8Array.from(bytes));
        expect(await problemsOf(subject, form, 'sendMessage', request)).toEqual([]);
      }),
      { numRuns: 200 },
    );
    await subject.expectHealthy();
  });

  it('a right body with broken bytes is answered [rule:errors.code-message]', async () => {
    const subject = startSubject();
    const right = new Uint8Array(await requestOf(form, 'sendMessage', form.send()).arrayBuffer());
    const flips = fc.array(fc.tuple(fc.nat(right.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(flips, async (places) => {
        const bytes = Uint8Array.from(right);
        for (const [at, byte] of places) bytes[at] = byte;
        // A broken method may belong to the other version, whose errors have another shape.
        const known = form.binding === 'rest' ? {} : { 'a2a-version': form.version };
        const found = await problemsOf(subject, form, 'sendMessage', postTo(form, bytes, known));
        expect(found).toEqual([]);
      }),
      { numRuns: 300 },
    );
    await subject.expectHealthy();
  });
});

it.each(
  FORMS.filter(({ binding }) => binding === 'jsonrpc'),
)('any envelope is answered: $name [rule:jsonrpc.envelope] [rule:jsonrpc.result-or-error]', async (form) => {
  const subject = startSubject();
  const method = form.operations.sendMessage?.method;
  const right = { jsonrpc: '2.0', id: REQUEST_ID, method, params: form.send() };
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyJson, nearly(right)), async (body) => {
      const request = postTo(form, JSON.stringify(body), { 'a2a-version': form.version });
      expect(await problemsOf(subject, form, 'sendMessage', request)).toEqual([]);
    }),
    { numRuns: 400 },
  );
  await subject.expectHealthy();
});
