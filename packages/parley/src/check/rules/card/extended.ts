import { expectError, resultOf } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { Caller } from '../../wire/caller.ts';
import { isError } from '../../wire/errors.ts';
import { memberOf } from '../../wire/json.ts';

const NOBODY = async () => ({});

export const EXTENDED_CARD: readonly Rule[] = [
  {
    id: 'card.extended-off',
    async check(probe) {
      if (probe.server.capabilities.extendedCard) inapplicable('the card declares an extended card');
      expectError(await probe.call('extendedCard'), 'UNSUPPORTED_OPERATION');
    },
  },
  {
    id: 'card.extended-not-configured',
    async check(probe) {
      if (!probe.server.capabilities.extendedCard) inapplicable('the card declares no extended card');
      const { error } = await probe.call('extendedCard');
      if (error === undefined || !isError(error, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'))
        inapplicable('an extended card is configured');
    },
  },
  {
    id: 'card.extended-auth',
    async check(probe) {
      if (!probe.server.capabilities.extendedCard) inapplicable('the card declares no extended card');
      const stranger = new Caller(probe.caller.target, probe.server.sender, NOBODY);
      const { exchange } = await stranger.call('extendedCard', { odd: true });
      if (exchange.got?.status !== 401) fail('a caller without credentials is not answered with 401', exchange);
    },
  },
  {
    id: 'card.extended-private',
    async check(probe) {
      if (!probe.server.capabilities.extendedCard) inapplicable('the card declares no extended card');
      const answer = await probe.call('extendedCard');
      if (answer.error !== undefined && isError(answer.error, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED')) {
        inapplicable('no extended card is configured');
      }
      if (answer.error !== undefined) skip('the extended card was not shown');
      if (memberOf(resultOf(answer), 'name') === undefined) fail('the result is no card', answer.exchange);
      const caching = answer.exchange.got?.headers['cache-control'] ?? '';
      // Caches keep the response to a POST only where it says for how long.
      const isKept =
        probe.binding === 'rest'
          ? !/\b(?:private|no-store|no-cache)\b/i.test(caching)
          : /\b(?:max-age|public)\b/i.test(caching);
      if (isKept) fail('shared caches may keep the extended card', answer.exchange);
    },
  },
];
