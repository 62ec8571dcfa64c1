import type { CallInterceptor } from '@a2a-js/sdk/client';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { expectError, failureOf } from './support/errors.ts';
import { allOf, assembledTexts } from './support/events.ts';
import { artifactTexts, messageOf, sending, taskOf, textOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { type Fetch, served } from './support/sdk.ts';

const UNKNOWN_VERSION = { type: VersionNotSupportedError, code: -32009, status: 400 };

/** Says another version than the SDK would, which overrules whatever a caller sets. */
function saying(version: string): { readonly config: { readonly interceptors: CallInterceptor[] } } {
  const interceptor: CallInterceptor = {
    before: async (args) => {
      args.options = { ...args.options, serviceParameters: { 'A2A-Version': version } };
    },
    after: async () => {},
  };
  return { config: { interceptors: [interceptor] } };
}

/** Leaves the version out, as clients of before 1.0 do. */
const silent: Fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('a2a-version');
  return fetch(input, { ...init, headers });
};

everyMatrix((row) => {
  it.runIf(row.sdk.usesFetch)('is understood with the digits of a patch', async () => {
    const { client, wire } = await served(row, lab, {}, saying(`${row.version}.7`));
    expect(textOf(messageOf(await client.sendMessage(sending('reply Hello'))).parts)).toBe('Hello');
    expect(wire[0]?.received.get('a2a-protocol-version')).toBe(row.version);
  });

  it('is understood without a version', async () => {
    const { client, wire } = await served(row, lab, {}, { fetch: silent });
    const task = taskOf(await client.sendMessage(sending('chunk 2 8')));
    expect(artifactTexts(await client.getTask({ id: task.id, tenant: '' }))).toEqual(['0001:...0002:...']);
    const events = await allOf(client.sendMessageStream(sending('chunk 2 8')));
    expect(assembledTexts(events, row)).toEqual(['0001:...0002:...']);
    for (const { received } of wire) expect(received.get('a2a-protocol-version')).toBe(row.version);
  });

  it.runIf(row.sdk.usesFetch)('is understood without a version only as 0.3, where the server is strict', async () => {
    const { client } = await served(row, lab, { inferVersion: false }, { fetch: silent });
    const attempt = client.sendMessage(sending('reply Hello'));
    if (row.version === '1.0') await expectError(row, attempt, UNKNOWN_VERSION);
    else expect(textOf(messageOf(await attempt).parts)).toBe('Hello');
  });

  it('is told that a version is not spoken here, and which are', async () => {
    const { client } = await served(row, lab, {}, saying('99.0'));
    const attempt = client.sendMessage(sending('reply Hello'));
    // The error has the shape of the newest version, which the SDK's transport for 0.3 over HTTP+JSON does not read.
    const isUnread = row.version === '0.3' && row.binding === 'HTTP+JSON';
    const error = isUnread ? await failureOf(attempt) : await expectError(row, attempt, UNKNOWN_VERSION);
    expect(String(error)).toContain('supported: 1.0, 0.3');
  });
});
