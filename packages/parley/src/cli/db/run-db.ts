import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backupFile, restoreFile } from '../../stores/sqlite/care/copy.ts';
import { fileInfo } from '../../stores/sqlite/care/file-info.ts';
import { migrateFile } from '../../stores/sqlite/care/migrate-file.ts';
import { StoreError } from '../../stores/store-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import type { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { counted, size } from '../text/amounts.ts';
import { infoLines } from './info-lines.ts';
import { verify } from './verify.ts';

export interface DbTask {
  /** The files, as they were written. */
  readonly words: readonly string[];
  readonly options: Options;
  readonly screen: Screen;
  readonly surroundings: Surroundings;
}

type Run = (task: DbTask) => number;

/** The actions of `parley db`. Each returns the exit code. */
export const runDb = {
  info: naming(({ words: [file = ''], screen, surroundings }) => {
    const info = fileInfo(resolve(surroundings.cwd, file));
    if (screen.json) screen.object({ file, ...info });
    else screen.write(`${infoLines(file, info).join('\n')}\n`);
    return EXIT.done;
  }),
  backup: naming(({ words: [file = '', copy = ''], options: { force }, screen, surroundings: { cwd } }) => {
    screen.step(`copying ${file}, ${sizeOf(resolve(cwd, file))}…`);
    const made = backupFile(resolve(cwd, file), resolve(cwd, copy), { force });
    screen.idle();
    if (screen.json) screen.object({ file, copy, ...made });
    else screen.write(`${copy} has ${counted(made.tasks, 'task')} of ${file}, ${size(made.bytes)}.\n`);
    return EXIT.done;
  }),
  restore: naming(({ words: [copy = '', file = ''], options: { force }, screen, surroundings: { cwd } }) => {
    screen.step(`restoring ${copy}, ${sizeOf(resolve(cwd, copy))}…`);
    const made = restoreFile(resolve(cwd, copy), resolve(cwd, file), { force });
    screen.idle();
    const { replaced } = made;
    if (screen.json) screen.object({ copy, file, ...made });
    else screen.write(`${file} has ${counted(made.tasks, 'task')} of ${copy}, ${size(made.bytes)}.\n`);
    if (replaced !== undefined) screen.note(`The file that was there before is ${replaced}`);
    return EXIT.done;
  }),
  migrate: naming(({ words: [file = ''], screen, surroundings: { cwd } }) => {
    screen.step(`copying and migrating ${file}, ${sizeOf(resolve(cwd, file))}…`);
    const { from, to, backup } = migrateFile(resolve(cwd, file));
    screen.idle();
    if (screen.json) screen.object({ file, from, to, backup });
    else if (backup === undefined) screen.write(`${file} has schema ${to} already; nothing was done.\n`);
    else screen.write(`${file} has schema ${to} now. As it was, with schema ${from}, it is in ${backup}\n`);
    return EXIT.done;
  }),
  verify: naming(verify),
} as const;

/** The size of a file as it is told; of one that is not there, the command itself says so. */
function sizeOf(path: string): string {
  return size(statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}

/** Names files in errors as they were written, and tells a store's error from others by its code. */
function naming(run: Run): Run {
  return (task) => {
    try {
      return run(task);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new CommandError(adviceOn(error, withWrittenNames(error.message, task)), EXIT.failed, error.code);
    } finally {
      task.screen.idle();
    }
  };
}

/** Adds the next step to a store's error that does not name one. */
function adviceOn({ code }: StoreError, said: string): string {
  const isUnknown = code === 'FOREIGN_FILE' || said.startsWith('There is no ');
  if (isUnknown) return `${said} Name the file that serve --db or PARLEY_DB names.`;
  return code === 'NEWER_SCHEMA' ? `${said} Use that release, or a newer one.` : said;
}

function withWrittenNames(text: string, { words, options, surroundings: { cwd } }: DbTask): string {
  const names = [...words, ...(options.salvage === undefined ? [] : [options.salvage])];
  return names.reduce((said, name) => said.replaceAll(resolve(cwd, name), name), text);
}
