import { headerOptions } from './cli-command.ts';
import { disguisedUrl, maskedText, type SecretsShown } from './secrets.ts';
import { commandLines, shellWord } from './shell-word.ts';

/** A check of an agent as a command of `parley`. */
export function checkCommand(
  url: string,
  headers: readonly (readonly [name: string, value: string])[],
  secrets: SecretsShown = {},
): string {
  const start = ['parley', 'check', shellWord(...disguisedUrl(url, secrets))];
  return maskedText(commandLines([start, ...headerOptions(headers, secrets)]), secrets);
}
