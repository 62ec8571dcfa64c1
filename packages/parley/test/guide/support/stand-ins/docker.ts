// Stands for docker where there is no daemon: carries out the steps of a Dockerfile in folders of their own, and runs what
// comes out of it. Paths of the image lead into its folder.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Instruction, isSent, readDockerfile } from '../dockerfile.ts';
import { MACHINE, startInBackground, stopInBackground } from './background.ts';

interface Image {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  command: readonly string[];
  health: readonly string[];
}

const [action = '', ...words] = process.argv.slice(2);
const imageFile = (name: string) => join(MACHINE, 'images', `${name}.json`);
const imageOf = (name: string): Image => JSON.parse(readFileSync(imageFile(name), 'utf8'));

switch (action) {
  case 'build':
    build(optionOf('--tag'), words.at(-1) ?? '');
    break;
  case 'run':
    start(optionOf('--name'), words.at(-1) ?? '');
    break;
  case 'exec':
    process.exitCode = runIn(imageOf(words[0] ?? ''), words.slice(1));
    break;
  case 'inspect': {
    const image = imageOf(words.at(-1) ?? '');
    console.log(runIn(image, image.health) === 0 ? 'healthy' : 'unhealthy');
    break;
  }
  case 'stop':
    await stopInBackground(words[0] ?? '');
    console.log(words[0]);
    break;
  default:
    throw new Error(`docker cannot ${action} here`);
}

function optionOf(name: string): string {
  const place = words.indexOf(name);
  if (place < 0) throw new Error(`docker ${action} has no ${name}`);
  return words[place + 1] ?? '';
}

/** The folders of an image that stand in its own file system, within a text. */
function inside(image: Image, text: string): string {
  return text.replace(/(?<![\w.])\/(app|data)\b/g, `${image.root}/$1`);
}

function build(tag: string, context: string): void {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const instruction of readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (instruction.name === 'FROM') {
      const name = instruction.words[2] ?? 'last';
      const root = join(MACHINE, 'images', tag, name);
      mkdirSync(root, { recursive: true });
      image = { root, workdir: root, env: {}, command: [], health: [] };
      stages.set(name, image);
    } else if (image) carryOut(instruction, image, stages, context);
  }
  writeFileSync(imageFile(tag), JSON.stringify(image));
  console.log(`sha256:${tag}`);
}

function carryOut(
  { name, text, words: given, options }: Instruction,
  image: Image,
  stages: ReadonlyMap<string, Image>,
  context: string,
): void {
  switch (name) {
    case 'WORKDIR':
      image.workdir = inside(image, text);
      mkdirSync(image.workdir, { recursive: true });
      break;
    case 'ENV':
      for (const pair of given) image.env[pair.split('=')[0] ?? ''] = inside(image, pair.split('=')[1] ?? '');
      break;
    case 'COPY': {
      const target = resolve(image.workdir, given.at(-1) ?? '');
      const stage = options.from === undefined ? undefined : stages.get(options.from);
      if (options.from !== undefined && !stage) throw new Error(`There is no stage ${options.from}`);
      for (const source of given.slice(0, -1)) copy(source, { target, stage, context });
      break;
    }
    case 'RUN':
      if (runIn(image, ['sh', '-c', inside(image, text)]) !== 0) throw new Error(`RUN ${text} failed`);
      break;
    case 'CMD':
      image.command = given;
      break;
    case 'HEALTHCHECK':
      image.health = JSON.parse(text.slice(text.indexOf('[')));
      break;
  }
}

function copy(
  source: string,
  { target, stage, context }: { readonly target: string; readonly stage: Image | undefined; readonly context: string },
): void {
  if (stage) {
    cpSync(inside(stage, source), target, { recursive: true });
    return;
  }
  const sent = readdirSync(context).filter((file) =>
    isSent(file, readFileSync(join(context, '.dockerignore'), 'utf8')),
  );
  if (!sent.includes(source)) throw new Error(`${source} does not reach the build; the folder has ${sent.join(', ')}`);
  cpSync(join(context, source), join(target, basename(source)));
}

/** The variables of the image and what every process needs. The builder's registry and way to the internet are its own. */
function environmentOf({ env }: Image) {
  const network = /^(PATH$|npm_config_|https_proxy$|no_proxy$|NODE_EXTRA|NODE_USE)/;
  const passed = Object.entries(process.env).filter(([name, value]) => network.test(name) && value !== undefined);
  return { ...Object.fromEntries(passed), ...env } as Record<string, string>;
}

function runIn(image: Image, [program = '', ...args]: readonly string[]): number {
  const line = args.map((one) => inside(image, one));
  const { status } = spawnSync(program, line, { cwd: image.workdir, env: environmentOf(image), stdio: 'inherit' });
  return status ?? 1;
}

function start(name: string, tag: string): void {
  const image = imageOf(tag);
  const given = words.flatMap((word, index) => (word === '--env' ? [words[index + 1] ?? ''] : []));
  const env = { ...environmentOf(image), ...Object.fromEntries(given.map((pair) => pair.split('='))) };
  startInBackground(name, { command: image.command, cwd: image.workdir, env });
  writeFileSync(imageFile(name), JSON.stringify(image));
  console.log(name);
}
