import { declaredIn, nameOfTarget, targetsOf } from '../../probe/cards.ts';
import type { Server } from '../../probe/server.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { type Answer, Caller, type Target } from '../../wire/caller.ts';
import { isError, reasonOf } from '../../wire/errors.ts';

const UNKNOWN_TASK = 'no-such-task-4711';

/** Asks an interface for a task that is not there: the answer tells whether the binding and version are spoken. */
async function knock(server: Server, target: Target): Promise<Answer> {
  return new Caller(target, server.sender, server.credentials).call('get', { taskId: UNKNOWN_TASK });
}

/** An answer that only one who speaks the binding and version gives; a router's own 404 does not count. */
function isSpoken({ error, exchange, result }: Answer): boolean {
  if (exchange.got?.status === 401 || exchange.got?.status === 403) return true;
  if (error === undefined) return result !== undefined;
  const isTurnedAway =
    isError(error, 'VERSION_NOT_SUPPORTED') ||
    error.code === -32601 ||
    error.grpc === 'UNIMPLEMENTED' ||
    reasonOf(error) === 'METHOD_NOT_FOUND';
  const isOfProtocol = error.code !== undefined || error.grpc === 'NOT_FOUND' || reasonOf(error) !== undefined;
  return isOfProtocol && !isTurnedAway;
}

export const CARD_TRUTH: readonly Rule[] = [
  {
    id: 'card.truthful',
    async server(server) {
      const declared = targetsOf(declaredIn(server.cards['1.0'].card ?? server.card));
      const own = declared.filter(({ url }) =>
        server.targets.some((target) => new URL(target.url).origin === new URL(url).origin),
      );
      if (own.length === 0) skip('no declared interface may be called');
      for (const target of own) {
        const answer = await knock(server, target);
        if (!isSpoken(answer))
          fail(`${nameOfTarget(target)}, which the card declares, does not respond so`, answer.exchange);
      }
    },
  },
  {
    id: 'card.declares-all',
    async server(server) {
      const { origin } = new URL(server.targets[0]?.url ?? server.url);
      const urls = [...new Set(server.targets.map(({ url }) => url))].filter((url) => new URL(url).origin === origin);
      const declared = new Set(targetsOf(declaredIn(server.cards['1.0'].card ?? server.card)).map(nameOfTarget));
      for (const url of urls) {
        for (const version of ['1.0', '0.3'] as const) {
          for (const binding of ['jsonrpc', 'rest'] as const) {
            if (declared.has(nameOfTarget({ version, binding }))) continue;
            const answer = await knock(server, { url, version, binding });
            if (isSpoken(answer) && answer.exchange.got?.status !== 401) {
              fail(`${version} ${binding} is answered and not declared`, answer.exchange);
            }
          }
        }
      }
    },
  },
];
