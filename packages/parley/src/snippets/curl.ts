import { escapedControls } from '../cli/text/clean.ts';
import { withoutConnection } from './connection-headers.ts';
import type { SentRequest, Snippet } from './recorded-call.ts';
import { disguisedHeader, disguisedUrl, maskedText, type SecretsShown } from './secrets.ts';
import { commandLines, LARGEST_WORD, pipedInto, shellWord } from './shell-word.ts';

/** The request as a command of curl, for bash, zsh and ksh. */
export function curlCommand(request: SentRequest, secrets: SecretsShown = {}): Snippet {
  const { method, url, headers, body } = request;
  const isStream = headers.some(([name, value]) => name === 'accept' && value.includes('text/event-stream'));
  const first = ['curl', '-sS'];
  // Frames are shown as they come.
  if (isStream) first.push('-N');
  // Brackets and braces in an address are no ranges.
  if (/[[\]{}]/.test(url)) first.push('-g');
  const usual = body === undefined ? 'GET' : 'POST';
  if (method !== usual) first.push('-X', shellWord({ before: method }));
  first.push(shellWord(...disguisedUrl(url, secrets)));
  const lines = withoutConnection(headers).map(([name, value]) => ['-H', headerWord(name, value, secrets)]);
  if (body === undefined) return { text: commandLines([first, ...lines]), notes: [] };
  const content = maskedText(asJson(body), secrets);
  const isLarge = content.length > LARGEST_WORD;
  const data = isLarge ? ['--data-binary', '@-'] : ['--data-raw', shellWord({ before: content })];
  const command = commandLines([first, ...lines, data]);
  const notes = content === body || secrets.reveal ? [] : notesOf(body, content);
  return { text: isLarge ? pipedInto(content, command) : command, notes };
}

function headerWord(name: string, value: string, secrets: SecretsShown): string {
  // curl takes a header without a value for one to leave out.
  if (value === '') return shellWord({ before: `${name};` });
  const { before, ...rest } = disguisedHeader(name, value, secrets);
  return shellWord({ before: `${name}: ${before}`, ...rest });
}

/** JSON in which everything that a terminal would obey is escaped: it is read as the same value. */
function asJson(body: string): string {
  try {
    JSON.parse(body);
    return escapedControls(body);
  } catch {
    return body;
  }
}

function notesOf(body: string, content: string): readonly string[] {
  return asJson(body) === content ? [] : ['Secrets in the body are written as ***.'];
}
