import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binding, Version } from './calling.ts';
import { PeerProcess } from './peer.ts';
import type { Form } from './peer-calling.ts';
import { findGo, findPython, run } from './tools.ts';

const HERE = import.meta.dirname;
/** Environments, modules and built programs; nothing of it is committed. */
const CACHE = join(HERE, '.cache');

/** A kit of another language. */
export interface Peer {
  readonly name: string;
  readonly language: 'Python' | 'Go';
  readonly form: Form;
  readonly speaks: readonly { readonly version: Version; readonly binding: Binding }[];
  /** Why the other combinations are missing. */
  readonly lacks?: string;
  readonly start: () => PeerProcess;
}

/** A language whose kits cannot be tried here, and why. */
export interface Missing {
  readonly language: string;
  readonly reason: string;
}

const ALL = all('1.0', '0.3');

/** Gets the kits from their registries. Languages that are not installed are named. */
export async function preparePeers(): Promise<{
  readonly peers: readonly Peer[];
  readonly missing: readonly Missing[];
}> {
  const [python, go] = await Promise.all([findPython(), findGo()]);
  await mkdir(CACHE, { recursive: true });
  const [ofPython, ofGo] = await Promise.all([python ? pythonPeers(python) : [], go ? goPeers(go) : []]);
  const missing = [
    ...(python ? [] : [{ language: 'Python', reason: 'there is no Python 3.10 or newer with venv' }]),
    ...(go
      ? []
      : [{ language: 'Go', reason: 'there is no Go 1.25 or newer, neither on the path nor in /usr/local/go/bin' }]),
  ];
  return { peers: [...ofPython, ...ofGo], missing };
}

async function pythonPeers(python: string): Promise<readonly Peer[]> {
  const [newer, older] = await Promise.all([environment(python, '1.3.0'), environment(python, '0.3.26')]);
  const started = (program: string, script: string) => () =>
    new PeerProcess(program, ['-u', script], { cwd: join(HERE, 'python') });
  return [
    { name: 'Python 1.3.0', language: 'Python', form: '1.0', speaks: ALL, start: started(newer, 'peer_v1.py') },
    {
      name: 'Python 0.3.26',
      language: 'Python',
      form: '0.3',
      speaks: all('0.3'),
      start: started(older, 'peer_v03.py'),
    },
  ];
}

/** A virtual environment with exactly these packages; the one of an earlier run where nothing has changed. */
async function environment(python: string, version: string): Promise<string> {
  const folder = join(CACHE, `python-${version}`);
  const requirements = join(HERE, 'python', `requirements-${version}.txt`);
  const program = join(folder, 'bin', 'python');
  const mark = join(folder, 'installed');
  const text = await readFile(requirements, 'utf8');
  const wanted = createHash('sha256')
    .update(`${await run(python, ['-VV'])}${folder}\n${text}`)
    .digest('hex');
  const isThere = existsSync(mark) && (await readFile(mark, 'utf8')) === wanted;
  if (isThere) return program;
  await rm(folder, { recursive: true, force: true });
  await run(python, ['-m', 'venv', folder]);
  await run(program, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    '-r',
    requirements,
  ]);
  await writeFile(mark, wanted);
  return program;
}

async function goPeers(go: string): Promise<readonly Peer[]> {
  const folder = join(CACHE, 'go');
  const env = {
    ...process.env,
    GOPATH: process.env.GOPATH ?? join(folder, 'path'),
    GOCACHE: process.env.GOCACHE ?? join(folder, 'build'),
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    CGO_ENABLED: '0',
  };
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const flags = ['-buildvcs=false', '-mod=readonly', '-modcacherw'];
  await run(go, ['build', ...flags, '-o', `${bin}/`, './v1', './v0_3'], { cwd: join(HERE, 'go'), env });
  const started = (name: string) => () => new PeerProcess(join(bin, name), [], { cwd: folder });
  return [
    { name: 'Go 2.4.0', language: 'Go', form: '1.0', speaks: ALL, start: started('v1') },
    {
      name: 'Go 0.3.15',
      language: 'Go',
      form: '0.3',
      speaks: [
        { version: '0.3', binding: 'JSONRPC' },
        { version: '0.3', binding: 'GRPC' },
      ],
      lacks: 'HTTP+JSON',
      start: started('v0_3'),
    },
  ];
}

function all(...versions: readonly Version[]): Peer['speaks'] {
  return versions.flatMap((version) => [
    { version, binding: 'JSONRPC' as const },
    { version, binding: 'HTTP+JSON' as const },
    { version, binding: 'GRPC' as const },
  ]);
}
