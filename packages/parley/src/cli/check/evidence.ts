import { type Exchange, statusLine } from '../../check/wire/exchange.ts';
import { type ShownBounds, shownExchange } from '../../check/wire/shown-exchange.ts';
import { withoutSecrets } from '../show/given-secrets.ts';
import { cleanLine } from '../text/clean.ts';

const BOUNDS: ShownBounds = { headers: 12, headerText: 200, text: 600 };

/** An exchange as it may be shown: bounded, without secrets and without what a terminal would obey. */
interface Evidence {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

export function evidenceOf(exchange: Exchange, secrets: readonly string[]): Evidence {
  const clean = (text: string) => cleanLine(withoutSecrets(text, secrets));
  const { request, response, trouble } = shownExchange(exchange, BOUNDS, clean);
  const linesOf = ({ headers, body }: Pick<typeof request, 'headers' | 'body'>) => [
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [body]),
  ];
  return {
    sent: [clean(`${request.method} ${request.url}`), ...linesOf(request)],
    received: [
      ...(response ? [statusLine(response), ...linesOf(response)] : []),
      ...(trouble === undefined ? [] : [trouble]),
    ],
  };
}
