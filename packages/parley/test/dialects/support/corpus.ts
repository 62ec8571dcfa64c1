import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../corpus/', import.meta.url);

export interface CorpusFile<Content> {
  /** Folder and file. */
  readonly name: string;
  readonly content: Content;
}

/** A wire value and what it means; `written` where it is written back in another form. */
export interface Sample {
  readonly wire: unknown;
  readonly model: unknown;
  readonly written?: unknown;
}

/** A request that must be refused, with the fields that are named. */
export interface Rejected {
  readonly operation: string;
  readonly params: unknown;
  readonly violations: readonly string[];
}

export function foldersOf(dialect: string): readonly string[] {
  return readdirSync(new URL(`${dialect}/`, ROOT)).sort();
}

export function filesOf<Content>(dialect: string, folder: string): readonly CorpusFile<Content>[] {
  const directory = new URL(`${dialect}/${folder}/`, ROOT);
  return readdirSync(directory)
    .sort()
    .map((file) => ({
      name: `${folder}/${file}`,
      content: JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as Content,
    }));
}
