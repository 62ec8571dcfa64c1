import { spawnSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { CommandError } from '../show/problems.ts';

const CHECK_MILLISECONDS = 5000;

/** Explains why a module cannot be loaded, in one line with the place. */
export function moduleProblem(error: unknown, file: string, cwd: string): CommandError {
  const { code, name, message, stack } = describe(error);
  if (code === 'ERR_MODULE_NOT_FOUND') {
    const missing = /Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1] ?? 'a module';
    const shown = missing.startsWith('/') ? shortened(missing, cwd) : missing;
    return new CommandError(`${file} imports ${shown}, which cannot be found; is it installed, and is its path right?`);
  }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return new CommandError(`${file} is no module that can be run; give a .js, .mjs or .ts file`);
  }
  const isSyntax = name === 'SyntaxError';
  if (isSyntax && message.startsWith('Cannot use import statement outside a module')) {
    const asModule = file.replace(/\.(ts|js)$/, '.m$1');
    const advice = `"type": "module" to package.json${asModule === file ? '' : `, or call the file ${asModule}`}`;
    return new CommandError(`${file} is taken for CommonJS, which has no import; add ${advice}`);
  }
  const place = placeIn(stack) ?? (isSyntax ? placeOfSyntaxError(resolve(cwd, file)) : undefined);
  const shown = place ? `${shortened(place.path, cwd)}:${place.line}` : file;
  return new CommandError(`${shown} ${isSyntax ? 'has a syntax error' : 'fails when it is loaded'}: ${message}`);
}

/** Relative to where the user is, unless it is elsewhere. */
export function shortened(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { code: '', name: '', message: String(error), stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const [message = ''] = stripVTControlCharacters(error.message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { code, name: error.name, message: message.trim(), stack: stripVTControlCharacters(error.stack ?? '') };
}

interface Place {
  readonly path: string;
  readonly line: string;
}

/** The place where the parser stopped, or the first one outside of Node and packages. */
function placeIn(stack: string): Place | undefined {
  for (const text of stack.split('\n')) {
    const [, address = '', line = ''] =
      /^\s+at .*?(file:\/\/[^\s)]+?):(\d+)(?::\d+)?\)?$/.exec(text) ?? /^((?:file:\/\/)?\/.+):(\d+)$/.exec(text) ?? [];
    if (address === '' || address.includes('/node_modules/')) continue;
    return { path: address.startsWith('file:') ? fileURLToPath(address) : address, line };
  }
  return undefined;
}

/**
 * Node tells only on its way out where a module of plain JavaScript is wrong, so another process has to fail in the same
 * way. Nothing of a module runs if anything that it imports has a syntax error.
 */
function placeOfSyntaxError(path: string): Place | undefined {
  const program = `await import(${JSON.stringify(pathToFileURL(path).href)})`;
  const { stderr } = spawnSync(process.execPath, [...process.execArgv, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CHECK_MILLISECONDS,
  });
  return placeIn(stripVTControlCharacters(stderr));
}
