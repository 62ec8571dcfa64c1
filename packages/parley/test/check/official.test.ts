import { expect, it } from 'vitest';
import { startOfficial, startOfficialWith } from '../client/support/official.ts';
import { checked, idsWith } from './support/checked.ts';

/** What brings the agent of that server into the situations that rules need. */
const PROMPTS = {
  running: 'hang 3 1',
  asking: 'require 1 1',
  replying: 'reply',
  chunks: 'count 5 1',
  failing: 'fail',
};

it('looks at gRPC of the official server too, and finds what is wrong there', async () => {
  const { url } = await startOfficialWith({ grpc: true });
  const prompts = Object.entries(PROMPTS).flatMap(([situation, text]) => ['--prompt', `${situation}=${text}`]);
  const { results, summary } = await checked(url, '--binding', 'grpc', ...prompts);
  expect(summary.interfaces).toEqual(['1.0 grpc', '0.3 grpc']);
  // The same as over HTTP, as far as gRPC can show it.
  expect(idsWith(results, 'FAIL')).toEqual([
    'card.required-members',
    'version.patch-ignored',
    'send.missing-message',
    'send.media-type',
    'list.timestamp-inclusive',
    'cancel.terminal',
    'push.create-invalid',
    'history.limit',
    'history.negative',
    'parts.exactly-one',
    'v03.card-members',
  ]);
  expect(idsWith(results, 'WARN')).toEqual(['push.ssrf']);
});

it('runs to its end against the official server, and finds what is wrong there', async () => {
  const { url } = await startOfficial();
  const prompts = Object.entries(PROMPTS).flatMap(([situation, text]) => ['--prompt', `${situation}=${text}`]);
  const { code, results, summary } = await checked(url, ...prompts);
  expect(idsWith(results, 'FAIL')).toEqual([
    // The card of the test has no skills.
    'card.required-members',
    'version.patch-ignored',
    'send.missing-message',
    'send.media-type',
    'list.timestamp-inclusive',
    'cancel.terminal',
    'push.create-invalid',
    'history.limit',
    'history.negative',
    'parts.exactly-one',
    'parts.values',
    'parts.raw',
    'rest.query-bad',
    'jsonrpc.envelope',
    'jsonrpc.params',
    // `get` without a config id finds nothing.
    'v03.push-results',
    // `protocolVersion` is 0.3 and not 0.3.0.
    'v03.card-members',
  ]);
  expect(idsWith(results, 'WARN')).toEqual(['version.query-parameter', 'push.ssrf']);
  expect(code).toBe(1);
  expect(summary.leftOut).toBeGreaterThan(100);
});
