import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawRecording, type Piece, type Recorded } from './docs/recording.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/tutorials/first-agent.md');
const PICTURE = join(ROOT, 'docs/assets/first-agent.svg');
const TITLE = 'A terminal: an agent streams a greeting, asks a question, and goes on with the answer';
/** Beside the examples, where the package is found and types are stripped. */
const FOLDER = join(ROOT, 'examples/.recording');
const PARLEY = [
  '--conditions=parley-source',
  '--disable-warning=ExperimentalWarning',
  join(ROOT, 'packages/parley/src/cli/main.ts'),
];

/** Starts `parley` as a reader of the tutorial would. */
function parley(...args: readonly string[]) {
  const env = { ...process.env, npm_lifecycle_event: 'npx', npm_config_user_agent: 'npm' };
  return spawn(process.execPath, [...PARLEY, ...args], { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command and notes what it prints, and when. */
async function record(url: string, ...args: readonly string[]): Promise<Recorded & { readonly printed: string }> {
  const child = parley(...args.map((word) => word.replace('localhost:4000', url)));
  const begun = performance.now();
  const pieces: Piece[] = [];
  const note = (isOutput: boolean) => (text: string) => {
    pieces.push({
      at: (performance.now() - begun) / 1000,
      text: shown(text.replaceAll(url, 'localhost:4000')),
      isOutput,
    });
  };
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', note(true));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    note(false)(text);
  });
  await once(child, 'close');
  const words = args.map((word) => (/[^\w:.-]/.test(word) ? `'${word}'` : word));
  return { command: shown(`npx parley ${words.join(' ')}`), pieces, printed };
}

/** Ids are too long for the picture. */
function shown(text: string): string {
  return text.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…');
}

mkdirSync(FOLDER, { recursive: true });
const agent = /^```ts agent\.ts\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
writeFileSync(join(FOLDER, 'agent.ts'), agent);
const server = parley('serve', 'agent.ts', '--port', '0');
const ended = once(server, 'close').then(() => Promise.reject(new Error('The server ended')));
ended.catch(() => {});
const [greeting] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended]);
const url = /listening on http:\/\/(\S+)/.exec(String(greeting))?.[1] ?? '';
try {
  const stream = await record(url, 'stream', 'localhost:4000', 'My name is Ada');
  const asked = await record(url, 'send', 'localhost:4000', 'Good morning');
  const task = /--task (\S+)/.exec(asked.printed)?.[1] ?? '';
  const answered = await record(url, 'send', 'localhost:4000', '--task', task, 'Grace');
  writeFileSync(PICTURE, drawRecording(TITLE, [stream, asked, answered]));
} finally {
  server.kill();
  rmSync(FOLDER, { recursive: true, force: true });
}
