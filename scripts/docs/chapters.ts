import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DOCS: string = join(import.meta.dirname, '../../docs');

export interface Page {
  /** The file below `docs/`. */
  readonly path: string;
  /** A few words for the sidebar; the page's own heading may be longer. */
  readonly label: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

type Entry = readonly [path: string, label: string];

const chapter = (title: string, entries: readonly Entry[]): Chapter => ({
  title,
  pages: entries.map(([path, label]) => ({ path, label })).filter(({ path }) => existsSync(join(DOCS, path))),
});

/** The map of the documents, in reading order. The site's sidebar, `llms.txt` and the package's documents derive from it. */
export const CHAPTERS: readonly Chapter[] = [
  chapter('Tutorials', [
    ['tutorials/first-agent.md', 'Your first agent'],
    ['tutorials/language-model.md', 'A language model with tools'],
    ['tutorials/agents-calling-agents.md', 'Agents that call agents'],
    ['tutorials/guarded-agent.md', 'A guarded public agent'],
    ['tutorials/many-nodes.md', 'Many nodes'],
    ['migrating.md', 'From the official SDK'],
  ]),
  chapter('Write agents', [
    ['guides/agents.md', 'Writing an agent'],
    ['guides/llm.md', 'Language models'],
    ['guides/skills.md', 'Typed skills'],
    ['guides/questions.md', 'Questions and caller tools'],
    ['guides/conversations.md', 'Conversations'],
    ['guides/sub-agents.md', 'Sub-agents'],
    ['guides/steps.md', 'Steps that survive a crash'],
    ['guides/testing.md', 'Testing'],
    ['guides/recipes.md', 'Recipes for other libraries'],
    ['guides/rxjs.md', 'Observables and RxJS'],
  ]),
  chapter('Call agents', [
    ['client.md', 'Calling an agent'],
    ['cli.md', 'The command line'],
    ['guides/receiving-webhooks.md', 'Receiving webhooks'],
    ['guides/mcp.md', 'MCP, both ways'],
  ]),
  chapter('Run a server', [
    ['hosting.md', 'Hosting agents'],
    ['configuration.md', 'Configuration'],
    ['operations/console.md', 'The console'],
    ['operations/auth.md', 'Authentication'],
    ['limits.md', 'Limits'],
    ['operations/storage.md', 'Storage'],
    ['operations/stores.md', 'Stores'],
    ['operations/push.md', 'Sending webhooks'],
    ['operations/cards.md', 'Signed cards'],
    ['operations/tenants.md', 'Tenants'],
    ['scaling.md', 'Sizing and scaling'],
    ['operations/telemetry.md', 'Telemetry'],
    ['operations/runtimes.md', 'Bun, Deno and Workers'],
  ]),
  chapter('Protocol', [
    ['protocol/protocols.md', 'Versions and bindings'],
    ['protocol/grpc.md', 'gRPC'],
    ['protocol/errors.md', 'Errors'],
    ['protocol/resume.md', 'Resuming and safe retries'],
    ['dialects.md', 'Dialects'],
    ['interop.md', 'SDKs of other languages'],
    ['check.md', 'Checking a server'],
    ['protocol/compat.md', 'Names of other frameworks'],
  ]),
  chapter('Options', [
    ['options/server.md', 'Servers'],
    ['options/auth.md', 'Authenticators'],
    ['options/stores.md', 'Stores and buses'],
    ['options/agents.md', 'Agents and tasks'],
    ['options/models.md', 'Language models and MCP'],
    ['options/client.md', 'Clients'],
    ['options/webhooks.md', 'Webhooks and cards'],
    ['options/testing.md', 'The test kit'],
    ['options/extending.md', 'Bindings and other frameworks'],
  ]),
  chapter('Extensions', [
    ['guides/extending.md', 'Extending Parley'],
    ['extensions/README.md', 'Wire extensions'],
    ['extensions/resume.md', 'resume'],
    ['extensions/questions.md', 'questions'],
    ['extensions/tools.md', 'tools'],
    ['extensions/task-auth.md', 'task-auth'],
    ['extensions/skills.md', 'skills'],
    ['extensions/push.md', 'push'],
    ['extensions/calls.md', 'calls'],
    ['extensions/copies.md', 'copies'],
    ['extensions/summary.md', 'summary'],
    ['extensions/trace.md', 'trace'],
  ]),
  chapter('Inside Parley', [
    ['architecture.md', 'Architecture'],
    ['internals/concurrency.md', 'How the engine works'],
    ['performance.md', 'Performance'],
    ['decisions/README.md', 'Decisions'],
    ['reference/README.md', 'Protocol reference'],
  ]),
];

/** Pages for those who work on Parley itself: on the site, reached from the first page of their folder, and not in the package. */
export function isForContributors(path: string): boolean {
  return path.startsWith('decisions/') || path.startsWith('reference/');
}

/** The pages for users of the package, in reading order. */
export const USER_PAGES: readonly Page[] = CHAPTERS.flatMap(({ pages }) => pages).filter(
  ({ path }) => !isForContributors(path),
);

/** The first heading of a page and the sentence that opens it. */
export function openingOf(path: string): { readonly title: string; readonly sentence: string } {
  const text = readFileSync(join(DOCS, path), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const paragraph = text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n{2,}/)
    .find((block) => !/^(#|\||- |\d+\. |>|<)/.test(block.trim()) && block.trim() !== '');
  const plain = (paragraph ?? '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const sentence = /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
  return { title, sentence: sentence.replace(/:$/, '.') };
}
