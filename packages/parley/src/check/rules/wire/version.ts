import { expectError, expectServed, resultOf, sentResult } from '../../expectations.ts';
import { targetsOf } from '../../probe/cards.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { isError } from '../../wire/errors.ts';
import { isObject, listAt, memberOf, textAt } from '../../wire/json.ts';
import { METHODS } from '../../wire/operations.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

/** Asks for a task that is not there, with another version than the usual. */
async function askAs(probe: Probe, version: string | undefined, query = ''): Promise<Answer> {
  const usual = await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK, headers: { 'a2a-version': version } });
  return probe.caller.read({ ...usual, url: `${usual.url}${query}` }, { odd: true });
}

/** Sends a method with a header of any version. */
async function call(probe: Probe, method: string, params: unknown, version?: string): Promise<Answer> {
  const usual = await probe.caller.outgoing('get', { headers: { 'a2a-version': version } });
  return probe.caller.read(
    { ...usual, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) },
    { odd: true },
  );
}

/** Tells whether the card declares a version in the binding of this interface. */
function speaks({ server, binding }: Probe, version: string): boolean {
  return targetsOf(server.declared).some((target) => target.version === version && target.binding === binding);
}

export const VERSION: readonly Rule[] = [
  {
    id: 'version.missing-is-03',
    async check(probe) {
      if (probe.binding === 'grpc' && probe.version === '1.0') inapplicable('the service names the version');
      if (probe.version === '0.3') {
        for (const version of [undefined, '']) expectServed(await askAs(probe, version));
        return;
      }
      if (speaks(probe, '0.3')) inapplicable('the server speaks 0.3 here as well');
      expectError(await askAs(probe, undefined), 'VERSION_NOT_SUPPORTED', 'METHOD_NOT_FOUND');
    },
  },
  {
    id: 'version.unsupported',
    async check(probe) {
      for (const version of ['99.0', 'latest']) expectError(await askAs(probe, version), 'VERSION_NOT_SUPPORTED');
    },
  },
  {
    id: 'version.semantics',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      const result = sentResult(answer);
      const isOld = probe.form === '0.3';
      if (isOld !== (memberOf(result, 'kind') !== undefined))
        fail(`the reply has not the shape of ${probe.version}`, answer.exchange);
    },
  },
  {
    id: 'version.patch-ignored',
    async check(probe) {
      expectServed(await askAs(probe, '1.0.1'));
    },
  },
  {
    id: 'version.no-patch',
    server({ cards }) {
      const entries = listAt(cards['1.0'].card, 'supportedInterfaces');
      if (entries === undefined) inapplicable('there is no card of 1.0');
      const patched = entries
        .map((entry) => textAt(entry, 'protocolVersion') ?? '')
        .find((version) => !/^\d+\.\d+$/.test(version));
      if (patched !== undefined) fail(`an interface has the protocolVersion ${patched}`, cards['1.0'].exchange);
    },
  },
  {
    id: 'version.query-parameter',
    async check(probe) {
      expectServed(await askAs(probe, undefined, '?A2A-Version=1.0'));
      expectServed(await askAs(probe, '1.0', '?A2A-Version=99.0'));
    },
  },
  {
    id: 'version.header-case',
    async check(probe) {
      const usual = await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK, headers: { 'a2a-version': undefined } });
      const answer = await probe.caller.read({ ...usual, headers: { ...usual.headers, 'A2A-VERSION': '1.0' } });
      expectServed(answer);
    },
  },
  {
    id: 'version.grpc-metadata',
    async check(probe) {
      expectServed(await askAs(probe, '1.0'));
      expectError(await askAs(probe, '99.0'), 'VERSION_NOT_SUPPORTED');
      const [uri] = probe.server.capabilities.extensions;
      if (uri === undefined) return;
      const asked = [...new Set([uri, ...probe.server.capabilities.required])].join(', ');
      const params = probe.sendParams(await probe.promptFor('task'));
      const answer = await probe.call('send', { params, headers: { 'a2a-extensions': asked } });
      sentResult(answer);
      const echoed = answer.exchange.got?.headers['a2a-extensions'] ?? '';
      if (!echoed.includes(uri)) fail('the metadata a2a-extensions are not read', answer.exchange);
    },
  },
  {
    id: 'version.error-shape',
    async check(probe) {
      const { error, exchange } = await askAs(probe, '99.0');
      if (error === undefined) skip('an unknown version is not refused');
      const isNewest = error.details !== undefined && Array.isArray(error.details);
      if (speaks(probe, '1.0') && !isNewest) fail('the error has not the shape of 1.0', exchange);
      if (!JSON.stringify(error.body).includes('1.0')) fail('the error does not name the supported versions', exchange);
    },
  },
  {
    id: 'version.detect-slash',
    async check(probe) {
      for (const version of [undefined, '0.3', '0.3.0']) {
        const answer = await call(
          probe,
          METHODS['0.3'].send ?? '',
          probe.sendParams(await probe.promptFor('task')),
          version,
        );
        if (memberOf(resultOf(answer), 'kind') === undefined) fail('it is not served as 0.3', answer.exchange);
      }
    },
  },
  {
    id: 'version.detect-draft',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const message = { ...(params.message as object), role: 'user' };
      resultOf(await call(probe, METHODS['1.0'].send ?? '', { ...params, message }));
    },
  },
  {
    id: 'version.detect-lenient',
    async check(probe) {
      const answer = await call(probe, METHODS['1.0'].send ?? '', probe.sendParams(await probe.promptFor('task')));
      const isServed = isObject(memberOf(answer.result, 'task')) || isObject(memberOf(answer.result, 'message'));
      const isRefused =
        answer.error !== undefined &&
        (isError(answer.error, 'VERSION_NOT_SUPPORTED') || isError(answer.error, 'METHOD_NOT_FOUND'));
      if (!isServed && !isRefused) fail('it is neither served as 1.0 nor refused', answer.exchange);
    },
  },
  {
    id: 'version.header-over-method',
    async check(probe) {
      const other = probe.version === '1.0' ? '0.3' : '1.0';
      const answer = await call(probe, METHODS[other].get ?? '', { id: UNKNOWN_TASK }, probe.version);
      expectError(answer, 'METHOD_NOT_FOUND');
    },
  },
  {
    id: 'version.rest-prefix',
    async check(probe) {
      const usual = await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK, headers: { 'a2a-version': undefined } });
      const { error, exchange } = await probe.caller.read(usual, { odd: true });
      const expected =
        probe.version === '0.3'
          ? (['TASK_NOT_FOUND'] as const)
          : (['VERSION_NOT_SUPPORTED', 'TASK_NOT_FOUND'] as const);
      if (error === undefined || !expected.some((mistake) => isError(error, mistake)))
        fail(`${expected.join(' or ')} was expected`, exchange);
    },
  },
  {
    id: 'version.jaf',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      const kind = textAt(sentResult(answer), 'kind');
      if (kind !== 'task' && kind !== 'message') fail('a client that did not ask for JAF gets it', answer.exchange);
    },
  },
];
