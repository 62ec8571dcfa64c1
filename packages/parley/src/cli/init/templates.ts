import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The templates, in the order in which they are offered. */
export const TEMPLATES = {
  basic: 'an agent that streams its response and asks a question',
  llm: 'an agent of a language model with a tool',
  express: 'an agent in an Express application',
  next: 'an agent in a Next.js application, with a page that talks to it',
} as const;

export type TemplateName = keyof typeof TEMPLATES;

export const TEMPLATE_NAMES: readonly TemplateName[] = Object.keys(TEMPLATES) as TemplateName[];

/** The name that stands for the project's in every file of a template. */
export const PLACEHOLDER = 'my-agent';

/** The templates are beside `src` and beside `dist`. */
const FOLDER = fileURLToPath(new URL('../../../templates/', import.meta.url));

/** Files that every template has, unless it has its own. */
const SHARED = 'shared';

/** npm leaves files of these names out of packages, or obeys them. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: '.gitignore' };

/** The files of a template by their paths in the project, with `/` between folders. */
export function filesOf(template: TemplateName): ReadonlyMap<string, string> {
  const shared = contentsOf(join(FOLDER, SHARED));
  const own = contentsOf(join(FOLDER, template));
  return new Map([...shared, ...own].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function contentsOf(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep);
    if (!entry.isFile() || path.includes('node_modules')) continue;
    const name = RENAMED[entry.name] ?? entry.name;
    files.set([...path.slice(0, -1), name].join('/'), readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  }
  return files;
}
