import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ROOT, shellEnvironment } from '../setup/support/repository.ts';

const run = promisify(execFile);
/** Where Next is installed: here, or its oldest release where `npm run test:next14` has put it. */
const BASE = process.env.PARLEY_NEXT14 ?? ROOT;
const NEXT = join(BASE, 'node_modules/next/dist/bin/next');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const PACKAGE = join(ROOT, 'packages/parley');
const EXAMPLE = join(ROOT, 'examples/next');
/** What Next and its users leave behind. */
const GENERATED = /[/\\](?:\.next|node_modules|next-env\.d\.ts|[^/\\]*\.db[^/\\]*|[^/\\]*\.tsbuildinfo)$/;

/** Next 14 reads no TypeScript here, and has other names for the settings of docs/hosting.md. */
const CONFIG_OF_14 = {
  'next.config.ts': undefined,
  'next.config.mjs': `export default {
  experimental: { serverComponentsExternalPackages: ['parley-a2a'], instrumentationHook: true },
  skipTrailingSlashRedirect: true,
};
`,
};

/** How the app has got the package: installed from the registry, or linked as npm links the packages of a workspace. */
export type Installed = 'installed' | 'linked';

export interface AppOptions {
  readonly package: Installed;
  /** Files that the app has beside those of the example, or in their place; undefined = not there. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

export interface StartedApp {
  readonly url: string;
  /** What the process has written. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
  /** Resolves with the code that the process ends with. */
  readonly ended: Promise<number | null>;
}

/**
 * The example as an app of its own, with the package as it would be published. It has to be below the folder that Next is
 * installed in: what is above it in `node_modules` is all that Next finds.
 */
export class NextApp {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create({ package: installed, files = {} }: AppOptions): Promise<NextApp> {
    const apps = join(BASE, '.next-apps');
    mkdirSync(apps, { recursive: true });
    const app = new NextApp(mkdtempSync(join(apps, 'app-')));
    try {
      cpSync(EXAMPLE, app.folder, { recursive: true, filter: (source) => !GENERATED.test(source) });
      const settings: AppOptions['files'] = process.env.PARLEY_NEXT14 ? CONFIG_OF_14 : {};
      for (const [path, content] of Object.entries({ ...files, ...settings })) app.#put(path, content);
      await app.#install(installed);
      return app;
    } catch (error) {
      app.remove();
      throw error;
    }
  }

  /** Compiles, checks the types and gives what Next has said. */
  async build(): Promise<string> {
    const options = { cwd: this.folder, env: environment(), maxBuffer: 16 * 1024 * 1024 };
    const { stdout, stderr } = await run(process.execPath, [NEXT, 'build'], options).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`next build failed:\n${error.stdout}\n${error.stderr}`);
      },
    );
    return stdout + stderr;
  }

  /** `next start` (or `dev`) on a free port of this machine. */
  async start(
    command: 'start' | 'dev' = 'start',
    variables: Readonly<Record<string, string>> = {},
  ): Promise<StartedApp> {
    const child = spawn(process.execPath, [NEXT, command, '-p', '0', '-H', '127.0.0.1'], {
      cwd: this.folder,
      env: { ...environment(), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const heard = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', heard);
    child.stderr.setEncoding('utf8').on('data', heard);
    const ended = once(child, 'exit').then(([code]) => code);
    const url = await whenReady(child, () => output);
    return { url, output: () => output, stop: () => stop(child), ended };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #put(path: string, content: string | undefined): void {
    const file = join(this.folder, path);
    if (content === undefined) {
      rmSync(file, { recursive: true });
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  async #install(installed: Installed): Promise<void> {
    const modules = join(this.folder, 'node_modules');
    const place = installed === 'installed' ? join(modules, 'parley-a2a') : join(this.folder, 'packages/parley');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), packedManifest());
    const project = join(PACKAGE, 'tsconfig.build.json');
    await run(process.execPath, [COMPILER, '-p', project, '--outDir', join(place, 'dist')]);
    if (installed === 'linked') {
      mkdirSync(modules);
      symlinkSync(place, join(modules, 'parley-a2a'));
    }
  }
}

/** Without the way to the sources, as packing leaves it. */
function packedManifest(): string {
  const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
  return JSON.stringify(JSON.parse(manifest, (name, value) => (name === 'parley-source' ? undefined : value)));
}

function environment(): NodeJS.ProcessEnv {
  return { ...shellEnvironment(), NEXT_TELEMETRY_DISABLED: '1' };
}

type Server = ChildProcessByStdio<null, Readable, Readable>;

/** Next says where it listens, and then that it is ready. */
function whenReady(child: Server, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Next ended before it was ready:\n${output()}`)));
    child.stdout.on('data', () => {
      const [, url] = /Local:\s+(http:\/\/\S+)[\s\S]*Ready in/.exec(output()) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Next is asked first, because in development it has a child of its own to end. */
async function stop(child: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(force);
}
