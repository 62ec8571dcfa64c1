import { resolve } from 'node:path';
import { nearest } from '../../model/options/nearest.ts';
import { type Prompter, prompterOf } from '../chat/prompter.ts';
import { EXIT } from '../exit-codes.ts';
import { type Options, oneOf } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import type { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { padded } from '../text/width.ts';
import { UsageError } from '../usage-error.ts';
import { checkFolder } from './project-folder.ts';
import { PLACEHOLDER, TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.ts';

interface Answers {
  /** The folder as it was written. */
  readonly shown: string;
  readonly template: TemplateName;
  readonly install: boolean;
  readonly git: boolean;
}

/** Reads what flags say, and asks for the rest where a person sits at a terminal. */
export async function collectAnswers(
  dir: string | undefined,
  options: Options,
  screen: Screen,
  surroundings: Surroundings,
): Promise<Answers> {
  const given = {
    template: options.template === undefined ? undefined : oneOf('template', options.template, TEMPLATE_NAMES),
    install: eitherOf(options, 'install', 'no-install'),
    git: eitherOf(options, 'git', 'no-git'),
  };
  const check = (folder: string) => checkFolder(resolve(surroundings.cwd, folder), folder, options.force ?? false);
  const isAsked = surroundings.stdin.isTTY === true && screen.isWatched && !screen.json;
  if (!isAsked) {
    const shown = dir ?? '.';
    check(shown);
    return {
      shown,
      template: given.template ?? 'basic',
      install: given.install ?? true,
      git: given.git ?? true,
    };
  }
  const prompter = prompterOf(surroundings);
  try {
    const shown = dir ?? (await ask('Folder', PLACEHOLDER, prompter, screen));
    check(shown);
    return {
      shown,
      template: given.template ?? (await askTemplate(prompter, screen)),
      install: given.install ?? (await askYes('Install packages now?', prompter, screen)),
      git: given.git ?? (await askYes('Make it a git repository?', prompter, screen)),
    };
  } finally {
    prompter.close();
  }
}

function eitherOf(options: Options, yes: 'install' | 'git', no: 'no-install' | 'no-git'): boolean | undefined {
  if (options[yes] && options[no]) throw new UsageError(`--${yes} and --${no} exclude each other; give one of them`);
  if (options[yes]) return true;
  return options[no] ? false : undefined;
}

/** Asks for one line; an empty one is the default. */
async function ask(question: string, byDefault: string, prompter: Prompter, screen: Screen): Promise<string> {
  const { noteStyle } = screen;
  const prompt = `${question} ${noteStyle.apply(`(${byDefault})`, 'dim')} ${noteStyle.apply('›', 'cyan')} `;
  const entry = await prompter.ask(prompt, false);
  if (entry.kind === 'text') return entry.text.trim() || byDefault;
  throw new CommandError('Nothing was made', EXIT.interrupted, 'INTERRUPTED');
}

async function askTemplate(prompter: Prompter, screen: Screen): Promise<TemplateName> {
  for (const [index, name] of TEMPLATE_NAMES.entries()) {
    screen.note(`  ${index + 1}  ${padded(name, 9)}${screen.noteStyle.apply(TEMPLATES[name], 'dim')}`);
  }
  for (;;) {
    const answer = (await ask('Template', 'basic', prompter, screen)).toLowerCase();
    const found = TEMPLATE_NAMES.find((name, index) => name === answer || String(index + 1) === answer);
    if (found) return found;
    const meant = nearest(answer, TEMPLATE_NAMES);
    screen.note(`There is no template ${answer}; ${meant ? `did you mean ${meant}?` : 'give a number or a name'}`);
  }
}

async function askYes(question: string, prompter: Prompter, screen: Screen): Promise<boolean> {
  for (;;) {
    const answer = (await ask(question, 'yes', prompter, screen)).toLowerCase();
    if (['y', 'yes'].includes(answer)) return true;
    if (['n', 'no'].includes(answer)) return false;
    screen.note('Please answer yes or no.');
  }
}
