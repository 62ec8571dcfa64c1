import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as parley from 'parley-a2a';
import { ROOT } from './repository.ts';

/** Where the documents say that the demo is. */
export const DEMO = 'http://127.0.0.1:4000';

/** The blocks of code in a document that have no name. */
export function blocksOf(document: string, language: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);
}

/** The blocks of TypeScript that are files of a reader's project, by their names. */
export function filesOf(document: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const files = text.matchAll(/^```ts (\S+\.ts)\n([\s\S]*?)^```$/gm);
  return new Map([...files].map(([, name = '', block = '']) => [name, block]));
}

const IMPORTS = /^(?:import .*\n)*/;
const NAMES = Object.keys(parley);
/** The client that blocks take for granted. */
const AGENT = `const agent = await A2AClient.connect('${DEMO}');\n`;

/** A block as a program of its own: with the package's names and the `agent` that it takes for granted. */
export function standingAlone(block: string): string {
  const imports = IMPORTS.exec(block)?.[0] ?? '';
  const code = block.slice(imports.length);
  const missing = NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(imports));
  return `${imports}import { ${missing.join(', ')} } from 'parley-a2a';\n${AGENT}{\n${code}}\n`;
}

const MARK = '\n=== end of the block ===\n';

/** Many blocks as one program, each in a scope of its own. `outputsOf` what it prints has one text for each. */
export function allInOne(blocks: readonly string[]): string {
  const bodies = blocks.map((block) => `{\n${block.replace(IMPORTS, '')}}\nconsole.log(${JSON.stringify(MARK)});\n`);
  return `import { ${NAMES.join(', ')} } from 'parley-a2a';\n${AGENT}${bodies.join('')}`;
}

export function outputsOf(stdout: string): readonly string[] {
  return stdout.split(MARK);
}

/** What the comments behind `console.log(…);` say that it prints. */
export function promisedLines(block: string): readonly string[] {
  return [...block.matchAll(/^.*\bconsole\.log\(.*\); \/\/ (.+)$/gm)].map(([, line = '']) => line);
}
