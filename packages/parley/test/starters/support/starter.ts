import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { packedPackage } from '../../setup/support/packed-package.ts';
import { ROOT, readJson, shellEnvironment } from '../../setup/support/repository.ts';
import { packFolder } from '../../setup/support/workspace-copy.ts';
import { type Registry, startRegistry } from './registry.ts';

/** A machine of a newcomer: a Node that is new enough, npm with an empty cache, and a registry that has the packages. */
export interface Newcomer {
  readonly folder: string;
  readonly tarball: string;
  /** Runs a program and returns its output; rejects with all that it said if it fails. */
  readonly run: (cwd: string, command: string, ...args: readonly string[]) => Promise<string>;
  /** Starts a program that goes on until the test ends, and waits for the address that it prints. */
  readonly serve: (cwd: string, env: NodeJS.ProcessEnv, command: string, ...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function newcomer(): Promise<Newcomer> {
  const folder = join(tmpdir(), `parley-starters-${process.pid}`);
  const { manifest, tarball } = await packedPackage();
  const creator = await packFolder(join(ROOT, 'packages/create-parley-a2a'), join(folder, 'creator'));
  const registry: Registry = await startRegistry([
    { manifest, tarball },
    { manifest: readJson(ROOT, 'packages/create-parley-a2a/package.json'), tarball: creator },
  ]);
  const env = {
    ...shellEnvironment(),
    PATH: `${dirname(process.execPath)}${delimiter}${shellEnvironment().PATH}`,
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  mkdirSync(join(folder, 'home'));
  return {
    folder: join(folder, 'home'),
    tarball,
    async run(cwd, command, ...args) {
      const { stdout } = await promisify(execFile)(command, args, { cwd, env, timeout: 600_000 }).catch(
        (error: { readonly stdout: string; readonly stderr: string }) => {
          throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
        },
      );
      return stdout;
    },
    serve: (cwd, more, command, ...args) =>
      addressOf(
        spawn(command, args, { cwd, env: { ...env, ...more }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
      ),
    async close() {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The first address that a server prints. The server and its children end with the test. */
function addressOf(child: ChildProcess): Promise<string> {
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text: string) => {
      said += text;
      const [address] = /http:\/\/[\w.:]+/.exec(said) ?? [];
      if (address !== undefined && said.slice(said.indexOf(address) + address.length) !== '') resolve(address);
    };
    child.stdout?.setEncoding('utf8').on('data', listen);
    child.stderr?.setEncoding('utf8').on('data', listen);
    child.on('close', () => reject(new Error(`It ended without an address:\n${said}`)));
  });
}
