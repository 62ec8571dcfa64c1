import type { Command } from '../../command.ts';

export const init: Command = {
  name: 'init',
  parameters: '[DIR]',
  summary: 'make a new project: an agent, its test, settings, a Dockerfile and a CI file',
  details:
    'Without DIR, the project goes into this folder. The folder must be empty; with --force the project is ' +
    'written there anyway, and files of the same name are kept as NAME.replaced-TIME. In a terminal, init asks ' +
    'for what no option says. Elsewhere the template is basic, packages are installed, and the folder becomes a ' +
    'git repository unless it is in one. npm create parley-a2a does the same.',
  words: [0, 1],
  options: [
    'template',
    'name',
    'install',
    'no-install',
    'git',
    'no-git',
    'package-manager',
    'package',
    'force',
    'json',
  ],
  examples: [
    'init my-agent',
    'init my-agent --template llm',
    'init my-agent --template next --package-manager pnpm',
    'init . --no-install --no-git',
  ],

  async run(args, surroundings) {
    const { initProject } = await import('../../init/init-project.ts');
    return initProject(args, surroundings);
  },
};
