import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES } from './serve/settings/config-file.ts';
import type { Surroundings } from './surroundings.ts';
import { padded } from './text/width.ts';

/** The text for a user without a command: a beginning, not a list. */
export function welcome({ program, cwd }: Surroundings): string {
  const hasProject = CONFIG_NAMES.some((name) => existsSync(join(cwd, name)));
  const first: readonly (readonly [string, string])[] = hasProject
    ? [
        ['serve --watch', 'serves the agents of this folder, and again after every change'],
        ['chat localhost:4000', 'talks to them, from a second terminal'],
        ['doctor', 'looks for what would keep them from working'],
      ]
    : [
        ['init my-agent', 'makes a project: an agent, its test, its settings'],
        ['serve agent.ts', 'serves the agents of a file'],
        ['chat localhost:4000', 'talks to an agent, wherever it runs'],
      ];
  const width = Math.max(...first.map(([words]) => words.length)) + 3;
  return `Parley serves A2A agents and talks to them.

${first.map(([words, meaning]) => `  ${program} ${padded(words, width)}${meaning}`).join('\n')}

${program} --help lists all commands; ${program} COMMAND --help explains one.
`;
}
