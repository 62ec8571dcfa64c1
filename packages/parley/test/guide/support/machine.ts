import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedPackage } from '../../setup/support/packed-package.ts';
import { ROOT, readJson, shellEnvironment } from '../../setup/support/repository.ts';
import { packDependencies } from '../../setup/support/workspace-copy.ts';
import type { Published } from './registry.ts';

/** A certificate for localhost, as the guide's command makes one. */
const SELF_SIGNED = join(import.meta.dirname, '../../adapters/support/tls/renewed');
const STAND_INS = join(import.meta.dirname, 'stand-ins');

/** Packs the package and what it depends on. */
export async function packAll(folder: string): Promise<readonly Published[]> {
  const { manifest, tarball } = await packedPackage();
  const dependencies = await packDependencies(manifest, join(folder, 'dependencies'));
  const others = Object.entries(dependencies).map(([name, address]) => ({
    manifest: readJson(ROOT, 'node_modules', name, 'package.json'),
    tarball: address.replace(/^file:/, ''),
  }));
  return [{ manifest, tarball }, ...others];
}

/** The variables of a person on an empty machine, whose tools are this Node and what stands for a machine's own. */
export function environmentOn(machine: string): NodeJS.ProcessEnv {
  const tools = join(machine, 'tools');
  mkdirSync(tools, { recursive: true });
  mkdirSync(join(machine, 'home'));
  const script = (name: string, text: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  script('sudo', 'exec "$@"');
  const missing = ['curl'].filter((name) => !isInstalled(name));
  for (const name of ['systemctl', 'docker', ...missing]) {
    script(name, `exec ${process.execPath} --disable-warning=ExperimentalWarning ${join(STAND_INS, name)}.ts "$@"`);
  }
  if (!isInstalled('openssl')) script('openssl', `cp ${SELF_SIGNED}.pem cert.pem && cp ${SELF_SIGNED}.key key.pem`);
  // The image has a user that this machine may not have.
  script('chown', '[ "$1" = node:node ] && [ -d "$2" ]');
  const shell = shellEnvironment();
  const path = `${tools}:${dirname(process.execPath)}:${shell.PATH}`;
  const npm = { npm_config_cache: join(machine, 'npm'), npm_config_update_notifier: 'false' };
  return { ...shell, ...npm, PATH: path, HOME: join(machine, 'home'), GUIDE_MACHINE: machine };
}

/** Tools that the guide takes for granted and a machine may lack; PARLEY_GUIDE_BARE tries it without them. */
function isInstalled(tool: string): boolean {
  return process.env.PARLEY_GUIDE_BARE === undefined && spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
}

/** Folders of the machine that commands and files of the guide name. */
const FOLDERS = ['/opt/greeter', '/etc/systemd/system', '/var/lib/greeter'];

/** Translates between the guide's ports and folders and those of the test. */
export class Translation {
  readonly #pairs: readonly (readonly [guide: string, here: string])[];

  constructor(machine: string, ports: Readonly<Record<string, number>>) {
    for (const folder of FOLDERS.slice(1)) mkdirSync(dirname(join(machine, folder)), { recursive: true });
    mkdirSync(join(machine, 'etc/systemd/system'), { recursive: true });
    this.#pairs = [
      ...Object.entries(ports).map(([port, here]) => [port, String(here)] as const),
      ...FOLDERS.map((folder) => [folder, join(machine, folder)] as const),
      ['/usr/bin/node', process.execPath],
    ];
  }

  toHere(text: string): string {
    return replaced(text, this.#pairs);
  }

  toGuide(text: string): string {
    return replaced(
      text,
      this.#pairs.map(([guide, here]) => [here, guide] as const),
    );
  }
}

/** All at once: a free port such as 40017 must not be read as 4001 again. */
function replaced(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const known = new Map(pairs);
  const longestFirst = [...known.keys()].sort((one, other) => other.length - one.length);
  const anyOfThem = new RegExp(longestFirst.map((from) => from.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  return text.replace(anyOfThem, (from) => known.get(from) ?? from);
}

/** Ends what the stand-ins have left running. */
export function killLeftovers(machine: string): void {
  const folder = join(machine, 'run');
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.pid'))) {
    try {
      process.kill(Number(readFileSync(join(folder, file), 'utf8')), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
