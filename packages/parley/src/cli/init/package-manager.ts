import type { Surroundings } from '../surroundings.ts';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface PackageManager {
  readonly name: ManagerName;
  /** Runs a script of package.json. */
  readonly run: string;
  /** Runs the command of a package. */
  readonly exec: string;
  /** The words of templates for npm and of this manager, in the order of replacing. */
  readonly words: readonly (readonly [npm: string, other: string])[];
}

const MANAGERS: Readonly<Record<ManagerName, PackageManager>> = {
  npm: { name: 'npm', run: 'npm run', exec: 'npx', words: [] },
  pnpm: manager('pnpm', 'pnpm run', 'pnpm exec', {
    lock: 'pnpm-lock.yaml',
    test: 'pnpm test',
    install: 'npm install --global pnpm && pnpm install --frozen-lockfile',
    production: ' --prod',
  }),
  yarn: manager('yarn', 'yarn run', 'yarn', {
    lock: 'yarn.lock',
    test: 'yarn test',
    install: 'yarn install --frozen-lockfile',
    production: ' --production',
  }),
  bun: manager('bun', 'bun run', 'bunx', {
    lock: 'bun.lock',
    // `bun test` is Bun's own runner.
    test: 'bun run test',
    install: 'npm install --global bun && bun install --frozen-lockfile',
    production: ' --production',
  }),
};

export const MANAGER_NAMES: readonly ManagerName[] = Object.keys(MANAGERS) as ManagerName[];

interface Words {
  readonly lock: string;
  readonly test: string;
  readonly install: string;
  readonly production: string;
}

function manager(name: ManagerName, run: string, exec: string, words: Words): PackageManager {
  return {
    name,
    run,
    exec,
    words: [
      ['package-lock.json', words.lock],
      ['npm ci --omit=dev', `${words.install}${words.production}`],
      ['npm ci', words.install],
      ['npm run', run],
      ['npm test', words.test],
      ['npm start', `${run} start`],
      ['npx', exec],
    ],
  };
}

export function managerOf(name: ManagerName): PackageManager {
  return MANAGERS[name];
}

/** The package manager that has started this program, as they all say in `npm_config_user_agent`; else npm. */
export function startedBy({ npm_config_user_agent: agent = '' }: Surroundings['env']): ManagerName {
  return MANAGER_NAMES.find((name) => agent.startsWith(`${name}/`)) ?? 'npm';
}

/** Replaces npm's commands by those of a package manager. */
export function inWordsOf({ words }: PackageManager, text: string): string {
  return words.reduce((said, [npm, other]) => said.replaceAll(npm, other), text);
}
