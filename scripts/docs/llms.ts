import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAPTERS, DOCS, openingOf, USER_PAGES } from './chapters.ts';

const TITLE = '# Parley (npm: parley-a2a)';
const SUMMARY =
  '> The A2A (Agent2Agent) runtime for TypeScript: host agents, call agents and operate them. Tasks are durable, streams resume, and A2A 1.0 and 0.3 are served on one port.';

/** `llms.txt`: a list of the pages for language models, each with its first sentence. `addressOf` says where a page is, `isThere` whether. */
export function llmsList(addressOf: (path: string) => string, isThere = (_path: string) => true): string {
  const chapters = CHAPTERS.map(({ title, pages }) => {
    const lines = pages
      .filter(({ path }) => isThere(path))
      .map(({ path }) => {
        const { title: heading, sentence } = openingOf(path);
        return `- [${heading}](${addressOf(path)})${sentence === '' ? '' : `: ${sentence}`}`;
      });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return [TITLE, SUMMARY, ...chapters].join('\n\n');
}

/** `llms-full.txt`: the pages for users of the package, one after the other. */
export function llmsFull(): string {
  const texts = USER_PAGES.map(
    ({ path }) => `<!-- docs/${path} -->\n\n${readFileSync(join(DOCS, path), 'utf8').trim()}\n`,
  );
  return [TITLE, SUMMARY, ...texts].join('\n\n');
}
