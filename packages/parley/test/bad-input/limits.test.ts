import { describe, expect, it } from 'vitest';
import { FORMS, newestOf } from './support/all-forms.ts';
import { expectRefusal } from './support/answers.ts';
import { type Form, postTo, requestOf, sendBody } from './support/forms.ts';
import { nestedLists } from './support/json.ts';
import { type Subject, startSubject } from './support/subject.ts';

/** How deep a value is nested. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** A send whose body is nested exactly so deep: in a part's data, or in the message's metadata. */
function nestedTo(form: Form, depth: number, where: 'data' | 'metadata'): string {
  for (let levels = depth; ; levels -= 1) {
    const inner: unknown = JSON.parse(nestedLists(levels));
    const message = where === 'data' ? { [form.parts]: [form.dataPart(inner)] } : { metadata: { inner } };
    const body = sendBody(form, form.send(message));
    if (depthOf(JSON.parse(body)) === depth) return body;
  }
}

/** A send with a body of exactly so many bytes. */
function sized(form: Form, bytes: number): string {
  const body = sendBody(form);
  return body.replace('hello', 'x'.repeat(bytes - body.length + 'hello'.length));
}

describe.each(FORMS)('$name', (form) => {
  it.each([
    'data',
    'metadata',
  ] as const)('takes %s as deep as limits.depth, and none that is deeper [rule:security.limits]', async (where) => {
    for (const depth of [15, 100]) {
      const subject = startSubject({ limits: { depth: depth } });
      const response = await subject.server.fetch(postTo(form, nestedTo(form, depth, where)));
      expect(response.status).toBe(200);
      expect(subject.runs()).toBe(1);
      const refused = await subject.server.fetch(postTo(form, nestedTo(form, depth + 1, where)));
      const refusal = await expectRefusal(form, refused, 'INVALID_PARAMS', ['body']);
      expect(refusal.message).toContain(String(depth));
      expect(subject.runs()).toBe(1);
    }
  });

  it.each([
    'data',
    'metadata',
  ] as const)('takes %s beyond the default where limits.depth allows it [rule:security.limits]', async (where) => {
    const subject = startSubject({ limits: { depth: 300 } });
    const response = await subject.server.fetch(postTo(form, nestedTo(form, 250, where)));
    expect(await response.text()).toContain(nestedLists(200));
    expect(subject.runs()).toBe(1);
  });

  it('has a depth of 100 unless it is set, however much deeper the body is [rule:security.limits]', async () => {
    const subject = startSubject();
    for (const depth of [101, 1_000, 10_000, 200_000]) {
      const deep = sendBody(form, form.send({ metadata: 'DEEP' })).replace('"DEEP"', `{"a":${nestedLists(depth)}}`);
      const refusal = await expectRefusal(form, await subject.server.fetch(postTo(form, deep)), 'INVALID_PARAMS', [
        'body',
      ]);
      expect(refusal.message).toContain('100');
    }
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it.each([
    1_000, 5_000, 1_000_000,
  ])('takes what is as deep as a limits.depth of %d, unless that is refused as a setting [rule:security.limits]', async (depth) => {
    let subject: Subject;
    try {
      subject = startSubject({ limits: { depth: depth } });
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return;
    }
    const deep = nestedLists(depth - 10);
    const body = sendBody(form, form.send({ metadata: { deep: 'DEEP' } })).replace('"DEEP"', deep);
    const response = await subject.server.fetch(postTo(form, body));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(deep);
    await subject.expectHealthy();
  });

  it('takes as many parts as limits.parts, and not one more [rule:security.limits]', async () => {
    const parts = (count: number) =>
      form.send({ [form.parts]: Array.from({ length: count }, () => form.textPart('x')) });
    for (const [limits, most] of [
      [{}, 1000],
      [{ parts: 3 }, 3],
    ] as const) {
      const subject = startSubject({ limits });
      const refused = await subject.server.fetch(requestOf(form, 'sendMessage', parts(most + 1)));
      const refusal = await expectRefusal(form, refused, 'INVALID_PARAMS', [`message.${form.parts}`]);
      expect(refusal.descriptions[0]).toContain(String(most));
      await subject.expectNothingStarted();
      const taken = await subject.server.fetch(requestOf(form, 'sendMessage', parts(most)));
      expect(taken.status).toBe(200);
      expect(subject.runs()).toBe(1);
    }
  });

  it('takes a body of limits.bodyBytes and refuses a larger one with 413 in its own shape [rule:security.limits] [rule:errors.code-message]', async () => {
    const subject = startSubject({ limits: { bodyBytes: 1000 } });
    const refused = await subject.server.fetch(postTo(form, sized(form, 1001)));
    expect(refused.status).toBe(413);
    // JSON-RPC cannot know the id and the dialect of a request that it did not read.
    const early = form.binding === 'jsonrpc' ? newestOf(form) : form;
    const refusal = await expectRefusal(early, refused, 'PAYLOAD_TOO_LARGE', [], null);
    expect(refusal.message).toContain('1000');
    await subject.expectNothingStarted();
    const taken = await subject.server.fetch(postTo(form, sized(form, 1000)));
    expect(taken.status).toBe(200);
    expect(subject.runs()).toBe(1);
  });

  it('counts the bytes of a body, not its characters [rule:security.limits]', async () => {
    const subject = startSubject({ limits: { bodyBytes: 1000 } });
    const body = sized(form, 600).replace(/x{9,}/, (text) => 'é'.repeat(text.length));
    expect(body.length).toBeLessThan(1000);
    expect((await subject.server.fetch(postTo(form, body))).status).toBe(413);
    await subject.expectNothingStarted();
  });
});
