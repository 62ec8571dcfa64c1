import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { type Arguments, oneOf } from '../options.ts';
import { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';
import { commandLine } from '../text/shell.ts';
import { collectAnswers } from './answers.ts';
import { MANAGER_NAMES, managerOf, type PackageManager, startedBy } from './package-manager.ts';
import { parleyPackage } from './parley-package.ts';
import { dependenciesOf, projectFiles } from './project-files.ts';
import { writeProject } from './project-folder.ts';
import { checkName, nameOf } from './project-name.ts';
import { runTool } from './tools.ts';

/** Makes a project. Returns the exit code: 1 where it is made, but its packages could not be installed. */
export async function initProject(
  { positionals: [dir], options }: Arguments,
  surroundings: Surroundings,
): Promise<number> {
  const screen = new Screen(surroundings, options.json);
  const chosen = options['package-manager'];
  const manager = managerOf(
    chosen === undefined ? startedBy(surroundings.env) : oneOf('package-manager', chosen, MANAGER_NAMES),
  );
  if (options.name !== undefined) checkName(options.name, []);
  const { shown, template, install, git } = await collectAnswers(dir, options, screen, surroundings);
  const folder = resolve(surroundings.cwd, shown);
  const needed = dependenciesOf(template);
  const name = options.name === undefined ? nameOf(folder, needed) : checkName(options.name, needed);
  const parley = parleyPackage(options.package, folder, surroundings.cwd);

  const files = projectFiles({ template, name, manager, parley });
  const replaced = writeProject(folder, shown, files);
  if (!screen.json)
    screen.write(`Made the project ${shown === '.' ? name : shown}: template ${template}, ${files.size} files.\n`);
  for (const path of replaced) screen.note(`What was there before is ${path}`);

  const isRepository = git && (await makeRepository(folder, screen, surroundings));
  const isInstalled = install && (await installPackages(manager, folder, screen, surroundings));
  if (screen.json) {
    screen.object({
      folder,
      name,
      template,
      packageManager: manager.name,
      files: [...files.keys()],
      replaced,
      isInstalled,
      isRepository,
    });
  } else {
    screen.write(nextSteps(shown, manager, isInstalled, template));
  }
  return install && !isInstalled ? EXIT.failed : EXIT.done;
}

/** Nothing where the folder is in a repository already, and nothing worse than a note without git. */
async function makeRepository(folder: string, screen: Screen, surroundings: Surroundings): Promise<boolean> {
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return false;
    if (above === dirname(above)) break;
  }
  const { isDone, said } = await runTool('git', ['init', '--quiet'], folder, surroundings);
  if (!isDone) screen.note(`It is no git repository: ${cleanLine(said)}`);
  return isDone;
}

async function installPackages(
  { name }: PackageManager,
  folder: string,
  screen: Screen,
  surroundings: Surroundings,
): Promise<boolean> {
  screen.busy(`${name} install…`);
  const { isDone, said } = await runTool(name, ['install'], folder, surroundings);
  screen.idle();
  if (!isDone)
    screen.note(`${said}\nThe project is whole, but "${name} install" has failed; run it again in the folder.`);
  return isDone;
}

function nextSteps(shown: string, manager: PackageManager, isInstalled: boolean, template: string): string {
  const { name, run, exec } = manager;
  const port = template === 'next' ? 3000 : 4000;
  const steps = [
    ...(shown === '.' ? [] : [commandLine('cd', shown)]),
    ...(isInstalled ? [] : [`${name} install`]),
    `${run} dev`,
  ];
  return `
Start it:

${steps.map((step) => `  ${step}`).join('\n')}

Talk to it from a second terminal, in the same folder:

  ${exec} parley chat localhost:${port}

${run === 'npm run' ? 'npm test' : `${run} test`} runs its tests; README.md tells the rest.
`;
}
