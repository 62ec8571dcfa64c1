import { cliCommand } from '../../../../parley/src/snippets/cli-command.ts';
import { clientCode } from '../../../../parley/src/snippets/client-code.ts';
import { curlCommand } from '../../../../parley/src/snippets/curl.ts';
import type { Snippet, SnippetSource } from '../../../../parley/src/snippets/recorded-call.ts';
import type { SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import type { WireExchange } from '../record/exchange.ts';

export type CopyForm = 'curl' | 'typescript' | 'cli' | 'test';

export const COPY_NAMES: Readonly<Record<CopyForm, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  cli: 'parley',
  test: 'test',
};

/** The forms that an exchange can be copied in: those of a client need the call that the request was made for. */
export function copyForms({ target, call }: WireExchange): readonly CopyForm[] {
  return target && call ? ['curl', 'typescript', 'cli', 'test'] : ['curl'];
}

/** The text of an exchange in a form that can be run; rejects with a sentence where it cannot be had. */
export async function copyAs(
  form: CopyForm,
  exchange: WireExchange,
  all: readonly WireExchange[],
  secrets: SecretsShown = {},
): Promise<Snippet> {
  if (form === 'curl') return curlCommand(exchange.request, secrets);
  const source = sourceOf(exchange);
  if (form === 'typescript') return clientCode(source, secrets);
  if (form === 'test') {
    const { copyAsTest } = await import('./copy-test.ts');
    return copyAsTest(source, exchange, all, secrets);
  }
  const command = cliCommand(source, secrets);
  if (!command) throw new Error(`The command line has no command for ${source.call.operation}`);
  return command;
}

function sourceOf({ target, call, request }: WireExchange): SnippetSource {
  if (!target || !call) throw new Error('This request was not made by a client of an agent');
  return { target, call, request };
}
