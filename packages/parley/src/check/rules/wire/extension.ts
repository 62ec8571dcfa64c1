import { expectError, sentResult } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { STREAM_RESPONSE, unknownMembers } from '../schemas.ts';

const UNKNOWN = 'https://example.com/parley-check/unknown/v1';

function headerName(probe: Probe): string {
  return probe.version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
}

async function sendWith(probe: Probe, asked: string | undefined): Promise<Answer> {
  const params = probe.sendParams(await probe.promptFor('task'));
  const answer = await probe.call('send', { params, headers: { [headerName(probe)]: asked } });
  sentResult(answer);
  return answer;
}

function activatedBy(probe: Probe, { exchange }: Answer): readonly string[] {
  const value = exchange.got?.headers[headerName(probe)] ?? '';
  return value
    .split(',')
    .map((uri) => uri.trim())
    .filter(Boolean);
}

function someDeclared(probe: Probe): string {
  const { extensions, required } = probe.server.capabilities;
  return required[0] ?? extensions[0] ?? inapplicable('the card declares no extensions');
}

export const EXTENSION: readonly Rule[] = [
  {
    id: 'extension.inactive',
    async check(probe) {
      const { required } = probe.server.capabilities;
      const answer = await sendWith(probe, required.length > 0 ? required.join(',') : undefined);
      const unasked = activatedBy(probe, answer).find((uri) => !required.includes(uri));
      if (unasked !== undefined) fail(`${unasked} was activated and not asked for`, answer.exchange);
    },
  },
  {
    id: 'extension.list-syntax',
    async check(probe) {
      const uri = someDeclared(probe);
      const answer = await sendWith(probe, `${UNKNOWN} ,  ${uri}`);
      if (!activatedBy(probe, answer).includes(uri)) fail('a list with spaces is not read', answer.exchange);
    },
  },
  {
    id: 'extension.unknown-ignored',
    async check(probe) {
      const { required } = probe.server.capabilities;
      const answer = await sendWith(probe, [UNKNOWN, ...required].join(','));
      if (activatedBy(probe, answer).includes(UNKNOWN)) fail('an unknown extension is activated', answer.exchange);
    },
  },
  {
    id: 'extension.echo',
    async check(probe) {
      const asked = [...new Set([someDeclared(probe), ...probe.server.capabilities.required])];
      const answer = await sendWith(probe, asked.join(', '));
      const came = activatedBy(probe, answer);
      const isExact = came.length === asked.length && asked.every((uri) => came.includes(uri));
      if (!isExact) fail(`the reply lists ${came.join(', ') || 'nothing'} as activated`, answer.exchange);
    },
  },
  {
    id: 'extension.required',
    async check(probe) {
      if (probe.server.capabilities.required.length === 0) inapplicable('the card requires no extension');
      const params = probe.sendParams({ text: 'Hello' });
      const answer = await probe.call('send', {
        params,
        headers: { 'a2a-extensions': undefined, 'x-a2a-extensions': undefined },
      });
      expectError(answer, 'EXTENSION_SUPPORT_REQUIRED');
    },
  },
  {
    id: 'extension.exact-version',
    async check(probe) {
      const uri = someDeclared(probe);
      const { required } = probe.server.capabilities;
      const other = `${uri}99`;
      const answer = await sendWith(probe, [other, ...required].join(','));
      const came = activatedBy(probe, answer);
      if (came.includes(other) || (came.includes(uri) && !required.includes(uri)))
        fail('another version of an extension was activated', answer.exchange);
    },
  },
  {
    id: 'extension.no-core-members',
    async check(probe) {
      const { extensions } = probe.server.capabilities;
      if (extensions.length === 0) inapplicable('the card declares no extensions');
      const answer = await sendWith(probe, extensions.join(','));
      const [extra] = unknownMembers(answer.result, STREAM_RESPONSE);
      if (extra !== undefined) fail(`there is a member ${extra}, which the schema does not know`, answer.exchange);
    },
  },
];
