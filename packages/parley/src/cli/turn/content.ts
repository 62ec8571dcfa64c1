import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { JsonValue } from '../../model/basics/json.ts';
import { bytes, json, text } from '../../model/parts.ts';
import type { Part } from '../../model/task.ts';
import { mediaTypeOf } from '../media-types.ts';
import type { Options } from '../options.ts';
import type { Input, Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';

/** The message to send: the words or stdin, with files and data. */
export async function contentOf(
  words: readonly string[],
  options: Options,
  surroundings: Pick<Surroundings, 'stdin' | 'stderr' | 'cwd'>,
): Promise<readonly Part[]> {
  const beside = [...filesOf(options.file ?? [], surroundings.cwd), ...dataOf(options.data ?? [], surroundings.cwd)];
  const said = await textOf(words, beside.length > 0, surroundings);
  const parts = [...(said === '' ? [] : [text(said)]), ...beside];
  if (parts.length > 0) return parts;
  throw new UsageError('There is nothing to send: give a TEXT, or pipe one in');
}

async function textOf(
  words: readonly string[],
  hasOther: boolean,
  { stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>,
): Promise<string> {
  const isFromStdin = words.length === 1 && words[0] === '-';
  if (words.length > 0 && !isFromStdin) return words.join(' ');
  if (!isFromStdin && (hasOther || stdin.isTTY)) return '';
  if (stdin.isTTY) stderr.write('Type the text; Ctrl-D ends it.\n');
  return (await readAll(stdin)).replace(/\r?\n$/, '');
}

async function readAll(stdin: Input): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const chunk of stdin) all += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return all + decoder.decode();
}

function filesOf(paths: readonly string[], cwd: string): readonly Part[] {
  return paths.map((path) =>
    bytes(readFile(path, cwd, '--file'), { mediaType: mediaTypeOf(path), filename: basename(path) }),
  );
}

function dataOf(values: readonly string[], cwd: string): readonly Part[] {
  return values.map((value) => {
    const isFile = value.startsWith('@');
    const source = isFile ? new TextDecoder().decode(readFile(value.slice(1), cwd, '--data')) : value;
    try {
      const parsed: JsonValue = JSON.parse(source);
      return json(parsed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const where = isFile ? `${value.slice(1)} is not JSON` : '--data must be JSON, or @FILE';
      throw new UsageError(`${where}: ${reason}`);
    }
  });
}

function readFile(path: string, cwd: string, option: string): Uint8Array {
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(error);
    throw new UsageError(`Cannot read ${path} for ${option}: ${reason}`);
  }
}
