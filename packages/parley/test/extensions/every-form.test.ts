import { A2AError, A2AServer } from 'parley-a2a';
import type { ExtensionDefinition } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FORMS, type Form, MOUNTS, requestOf, sendOf } from '../bounds/forms.ts';
import { expectShort, textOf } from '../bounds/refusals.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const TELL = 'https://example.com/ext/tell/v1';
const OTHER = 'https://example.com/ext/other/v1';

const tell: ExtensionDefinition = {
  uri: TELL,
  onRequest({ data }) {
    if (data === 'refused') throw new A2AError('INVALID_PARAMS', 'The hook takes none of it');
    if (data === 'broken') throw new TypeError('an inner matter');
    return { was: data ?? null };
  },
  onEvent: (event) => `about a ${event.kind}`,
};

async function serve(extensions: readonly ExtensionDefinition[]) {
  const logged: unknown[] = [];
  const log = { error: (_: string, details: Wire) => logged.push(details.error), warn: () => {} };
  const run = (task: Wire) => JSON.stringify(task.message.metadata?.[TELL] ?? 'nothing');
  const server = new A2AServer({ agents: [agentOf(run, { extensions })], mounts: MOUNTS, log });
  onTestFinished(() => server.close());
  const send = async (form: Form, named: string, message: Wire = {}, more: Wire = {}) => {
    const operation = more.operation ?? 'sendMessage';
    const request = requestOf(form, operation, sendOf(form, { messageId: crypto.randomUUID(), ...message }));
    if (named !== '') request.headers.set(more.header ?? headerOf(form), named);
    return server.fetch(request);
  };
  return { send, logged };
}

/** The name of the header that belongs to the form's version. */
function headerOf({ name }: Form): string {
  return name.startsWith('1.0') || name.startsWith('draft') ? 'a2a-extensions' : 'x-a2a-extensions';
}

const isDraft = ({ name }: Form) => name.startsWith('draft');
const isJaf = ({ name }: Form) => name.startsWith('jaf');

describe.each(FORMS)('in $name', (form) => {
  const streams = form.operations.sendStreamingMessage !== undefined;
  const operations = streams ? (['sendMessage', 'sendStreamingMessage'] as const) : (['sendMessage'] as const);

  it('the active extensions are in the response, whose header has the name of the version [rule:extension.echo] [rule:v03.extensions]', async () => {
    const { send } = await serve([tell, { uri: OTHER }]);
    for (const operation of operations) {
      const response = await send(form, ` ${OTHER} ,urn:nobody:knows`, {}, { operation });
      await response.text();
      expect(response.headers.get(headerOf(form)), operation).toBe(OTHER);
      const silent = await send(form, '', {}, { operation });
      await silent.text();
      expect(silent.headers.has(headerOf(form)), operation).toBe(false);
    }
  });

  it('both names of the header are read [seed:S2.6]', async () => {
    const { send } = await serve([tell]);
    for (const header of ['a2a-extensions', 'x-a2a-extensions']) {
      expect(await (await send(form, TELL, {}, { header })).text()).toContain('{\\"was\\":null}');
    }
  });

  it('hooks change what the agent is given, and add to what is sent, only where they are asked for [rule:extension.inactive]', async () => {
    const { send } = await serve([tell]);
    for (const operation of operations) {
      const asked = await (await send(form, TELL, { metadata: { [TELL]: 7 } }, { operation })).text();
      expect(asked, operation).toContain('{\\"was\\":7}');
      // JAF has no metadata of tasks and events.
      if (!isJaf(form)) expect(asked, operation).toContain('about a ');
      const silent = await (await send(form, '', { metadata: { [TELL]: 7 } }, { operation })).text();
      expect(silent, operation).not.toContain('was');
      expect(silent, operation).not.toContain('about a ');
    }
  });

  it('a hook refuses in the shape of the dialect, and a broken one tells nothing of itself', async () => {
    const { send, logged } = await serve([tell]);
    for (const operation of operations) {
      const refused = await send(form, TELL, { metadata: { [TELL]: 'refused' } }, { operation });
      const { code, text } = expectShort(form, await textOf(refused));
      expect([code, text], operation).toEqual([form.invalid, expect.stringContaining('The hook takes none of it')]);
      expect(logged).toEqual([]);
      const broken = await send(form, TELL, { metadata: { [TELL]: 'broken' } }, { operation });
      const inner = expectShort(form, await textOf(broken)).text;
      expect(inner).not.toContain('inner matter');
      expect(logged.splice(0), operation).toEqual([new TypeError('an inner matter')]);
    }
  });

  it('a required extension that is not named is told, with what was named [rule:extension.required] [seed:S2.10]', async () => {
    const { send } = await serve([{ ...tell, required: true }, { uri: OTHER }]);
    for (const operation of operations) {
      const { text } = expectShort(form, await textOf(await send(form, `${OTHER}, urn:more`, {}, { operation })));
      expect(text).toContain(TELL);
      expect(text).toContain(OTHER);
      expect(text).toContain('urn:more');
      const { error }: Wire = JSON.parse(text);
      if (isDraft(form)) {
        expect(error).toMatchObject({ code: -32008, message: 'Extension support required' });
        expect(error.data).toEqual({ required: [TELL], provided: [OTHER, 'urn:more'] });
      } else if (form.name.startsWith('1.0')) {
        const [info] = form.binding === 'rest' ? error.details : error.data;
        expect(info).toMatchObject({ reason: 'EXTENSION_SUPPORT_REQUIRED', domain: 'a2a-protocol.org' });
        expect(info.metadata).toEqual({ required: TELL, provided: `${OTHER},urn:more` });
      } else if (form.name === '0.3 JSON-RPC') {
        expect(error).toEqual({ code: -32008, message: expect.stringContaining(TELL) });
      }
      expect((await send(form, TELL, {}, { operation })).status).toBe(200);
    }
  });

  it('a request names at most a hundred extensions, of at most 1,024 characters', async () => {
    const { send } = await serve([tell]);
    const many = Array.from({ length: 101 }, (_, index) => `urn:n:${index}`).join(',');
    for (const [named, limit] of [
      [many, '100'],
      [`urn:${'x'.repeat(1021)}`, '1024'],
    ] as const) {
      for (const operation of operations) {
        const { code, text } = expectShort(form, await textOf(await send(form, named, {}, { operation })));
        expect(code, text).toBe(form.invalid);
        expect(text).toContain('A2A-Extensions');
        expect(text).toContain(limit);
      }
    }
    expect((await send(form, many.slice(0, many.lastIndexOf(',')))).status).toBe(200);
  });
});
