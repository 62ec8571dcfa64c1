import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RpcFrame, RpcPeer } from '../support/rpc.ts';
import { HAS_CURL } from './support/curl.ts';
import { startDemo } from './support/demo.ts';
import { allInOne, blocksOf, DEMO, filesOf, outputsOf, promisedLines, standingAlone } from './support/documents.ts';
import { piecesOf } from './support/pieces.ts';
import { startProgram } from './support/programs.ts';
import { ROOT, temporaryFolder } from './support/repository.ts';

const run = promisify(execFile);

function folderOfTest(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

function framesOf(output: string): RpcFrame[] {
  return output
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const [id = '', data = ''] = block.split('\ndata: ');
      const response = JSON.parse(data);
      return { id: Number(id.slice('id: '.length)), response, result: response.result };
    });
}

describe('the README', () => {
  it.skipIf(!HAS_CURL)('has curl commands that send, stream and resume (skipped without curl)', async () => {
    const folder = folderOfTest();
    const demo = await startDemo({ PARLEY_DB: join(folder, 'tasks.db') });
    const commands = blocksOf('README.md', 'sh').filter((block) => block.includes('curl'));
    const outputs: string[] = [];
    for (const command of commands) {
      const local = command.replaceAll(DEMO, demo.url);
      outputs.push((await run('sh', ['-c', local], { cwd: folder })).stdout);
    }
    const [sent = '', cut = '', resumed = '', overRest = '', older = ''] = outputs;
    expect(JSON.parse(sent).result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.parse(overRest).task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.parse(older).result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    // The reader was cut off anywhere, perhaps inside a frame: what it has as a whole is what counts.
    const before = framesOf(cut.slice(0, cut.lastIndexOf('\n\n') + 2));
    const after = framesOf(resumed);
    expect(before.length).toBeGreaterThan(2);
    expect(after.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const seen = [...before, ...after].flatMap((frame) => frame.result.artifactUpdate?.artifact.parts[0].text ?? []);
    expect(seen).toHaveLength(50);
    expect(seen.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('has an agent that works as it stands', async () => {
    const [code = ''] = blocksOf('README.md', 'ts');
    expect(readFileSync(join(ROOT, 'examples/greeter/greeter.ts'), 'utf8')).toBe(code);
    const folder = folderOfTest();
    const script = code
      .replace("'greeter.db'", JSON.stringify(join(folder, 'greeter.db')))
      .replace('4001', '0')
      .replace('await new A2AServer', 'const server = await new A2AServer');
    const { child } = startProgram(`${script}\nconsole.log(server.url);`);
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    const peer = new RpcPeer(fetch, `${url}/a2a`);
    expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
    const asked = await peer.send('');
    expect(asked.status.message.parts).toEqual([{ text: 'What is your name?' }]);
    expect((await peer.send('Grace', { taskId: asked.id })).artifacts[0].parts).toEqual([{ text: 'Hello, Grace!' }]);
  });
});

it('runs the examples of the documents that need nothing but the demo', async () => {
  const blocks = ['README.md', 'docs/client.md']
    .flatMap((document) => blocksOf(document, 'ts'))
    .filter((block) => !/listen\(|example\.com|from 'ai'/.test(block));
  expect(blocks.length).toBeGreaterThanOrEqual(15);
  const demo = await startDemo({ PARLEY_DB: 'memory' });
  const { code, stdout, stderr } = await startProgram(allInOne(blocks).replaceAll(DEMO, demo.url)).ended;
  const outputs = outputsOf(stdout);
  expect({ code, last: outputs.at(-1)?.trim(), stderr }).toMatchObject({ code: 0, last: '' });
  for (const [index, block] of blocks.entries()) {
    for (const line of promisedLines(block)) expect(outputs[index], block).toContain(line);
  }
});

it('shows no code that the oldest Node of the package cannot parse', () => {
  const pages = ['packages/parley/README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
  const using = pages.filter((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(/^```ts.*\n([\s\S]*?)^```$/gm)].some(([, code = '']) =>
      /^\s*(?:await )?using \w+ =/m.test(code),
    );
  });
  expect(using).toEqual([]);
});

/** Names that the documents use without showing where they come from. */
const ELSEWHERE = "import { analyst, reporter } from '../../../examples/agents/index.ts';\n";

/** A document whose examples go on from each other. */
const CONTINUED = 'docs/client.md';

it('type-checks the examples of the documents', async () => {
  const folder = join(ROOT, 'node_modules/.cache/parley-documents');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pages = globSync('docs/{,tutorials/,guides/,operations/,protocol/,internals/}*.md', { cwd: ROOT });
  const documents = ['README.md', 'packages/parley/README.md', ...pages];
  const blocks = documents
    .filter((document) => document.endsWith('.md') && document !== CONTINUED)
    .flatMap((document) => blocksOf(document, 'ts'))
    .filter((block) => /^(\/\/.*\n)?import /.test(block) && !/from '\.{1,2}\//.test(block))
    .map((block) => (/\breporter\b/.test(block) ? ELSEWHERE + block : block));
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  blocks.push(...blocksOf(CONTINUED, 'ts').map(standingAlone));
  const pieces = documents.filter((document) => document.endsWith('.md') && document !== CONTINUED).map(piecesOf);
  blocks.push(...pieces.filter((piece) => piece !== undefined));
  for (const [index, block] of blocks.entries()) writeFileSync(join(folder, `block-${index}.ts`), block);
  for (const document of documents) {
    const project = join(folder, document.replaceAll(/[/.]/g, '-'));
    for (const [name, text] of filesOf(document)) {
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, name), text);
    }
  }
  const config = {
    extends: '../../../tsconfig.json',
    include: ['**/*.ts'],
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
