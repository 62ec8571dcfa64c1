import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../../setup/support/documents.ts';
import { ROOT } from '../../setup/support/repository.ts';
import { type Block, readBlocks } from './blocks.ts';
import { GUIDE } from './guide.ts';

/** Pages that are followed from their first line to their last, and the folder that each makes or that its reader is in already. */
export const TUTORIALS = [
  ['packages/parley/README.md', ''],
  ['docs/tutorials/first-agent.md', 'hello'],
  ['docs/tutorials/language-model.md', 'advisor'],
  ['docs/tutorials/agents-calling-agents.md', 'trips'],
  ['docs/tutorials/many-nodes.md', 'nodes'],
] as const;

/** What the commands of a page find there: its folder always has `agent.ts`, the agent of the package's README. */
export interface World {
  /** The demo listens on port 4000. Without it the port is free. */
  readonly hasDemo?: boolean;
  /** Writes more files. `toHere` translates the ports of the page to those of the test. */
  readonly prepare?: (folder: string, toHere: (text: string) => string) => void;
  /** A program of those files that ends before the first command of the page. */
  readonly before?: string;
  /** A server of those files, which runs while the page is read. */
  readonly server?: string;
}

/** A file of tasks, as a server that was stopped leaves it. */
const writeTasks = (file: string) => (folder: string) =>
  writeFileSync(
    join(folder, 'fill.ts'),
    `import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { greeter } from './agent.ts';
const server = new A2AServer({ agents: [greeter], store: sqlite('${file}') });
const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Ada' }] };
await server.handleJsonRpc({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
await server.close();
`,
  );

function writeDigests(folder: string, toHere: (text: string) => string): void {
  const example = readFileSync(join(ROOT, 'examples/extending/digests.ts'), 'utf8');
  const serving = toHere("await server.listen({ port: 4002 });\nconsole.log('ready');\n");
  writeFileSync(join(folder, 'digests.ts'), example + serving);
}

const CHECKED = `node --conditions=parley-source ${join(import.meta.dirname, 'checked-servers.ts')} 4000 4001`;

/** Pages whose commands are run in their order, each page in a folder of its own. */
export const WORLDS: Readonly<Record<string, World>> = {
  'README.md': { hasDemo: true },
  'docs/check.md': { server: CHECKED },
  'docs/cli.md': { hasDemo: true },
  'docs/configuration.md': {},
  'docs/guides/extending.md': { prepare: writeDigests, server: 'node digests.ts' },
  'docs/guides/llm.md': {},
  'docs/guides/mcp.md': { hasDemo: true },
  'docs/guides/receiving-webhooks.md': { hasDemo: true },
  'docs/guides/recipes.md': {},
  'docs/interop.md': {},
  'docs/operations/console.md': { hasDemo: true },
  'docs/operations/push.md': { hasDemo: true },
  'docs/operations/storage.md': { prepare: writeTasks('parley.db'), before: 'node fill.ts' },
  'docs/operations/stores.md': { prepare: writeTasks('tasks.db'), before: 'node fill.ts' },
  'docs/operations/telemetry.md': {},
  'docs/performance.md': {},
  'docs/protocol/grpc.md': {},
  'docs/protocol/resume.md': { hasDemo: true },
  'docs/scaling.md': {},
};

/** The agent that commands of the documents serve. */
export function agentFile(): string {
  return filesOf('packages/parley/README.md').get('agent.ts') ?? '';
}

const isCommand = ({ language }: Block) => language === 'sh' || language === 'console';

/** The blocks of commands in the READMEs and documents. */
export function commandBlocks(): readonly Block[] {
  const documents = globSync('docs/**/*.md', { cwd: ROOT }).filter((page) => !/node_modules|\.vitepress/.test(page));
  return ['README.md', 'packages/parley/README.md', ...documents.sort()].flatMap((page) =>
    readBlocks(page).filter(isCommand),
  );
}

/** Every page of which some test runs the commands. */
export const RUN_PAGES: ReadonlySet<string> = new Set([
  GUIDE,
  ...TUTORIALS.map(([page]) => page),
  ...Object.keys(WORLDS),
]);
