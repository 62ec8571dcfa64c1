import { nearest } from '../../../model/options/nearest.ts';
import type { Command } from '../../command.ts';
import { bashCompletion } from '../../completion/bash.ts';
import { fishCompletion } from '../../completion/fish.ts';
import { zshCompletion } from '../../completion/zsh.ts';
import { EXIT } from '../../exit-codes.ts';
import { UsageError } from '../../usage-error.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const SHELLS: readonly Shell[] = Object.keys(SCRIPTS) as Shell[];

/** The command that completes all commands, itself among them. */
export function completionOf(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    parameters: SHELLS.join('|'),
    summary: 'print a script that completes commands and options in your shell',
    details:
      'For bash: put source <(parley completion bash) into ~/.bashrc. For zsh: parley completion zsh > FOLDER/_parley, with a ' +
      'FOLDER of $fpath. For fish: parley completion fish > ~/.config/fish/completions/parley.fish.',
    words: [1, 1],
    actions: SHELLS,
    options: [],
    examples: ['completion bash', 'completion zsh', 'completion fish'],

    run: async ({ positionals: [word = ''] }, { stdout }) => {
      const shell = SHELLS.find((name) => name === word);
      if (!shell) {
        const meant = nearest(word, SHELLS);
        throw new UsageError(
          `There is no completion for ${word}; ${meant ? `did you mean ${meant}?` : `there is one for ${SHELLS.join(', ')}`}`,
        );
      }
      stdout.write(SCRIPTS[shell](commands()));
      return EXIT.done;
    },
  };
}
