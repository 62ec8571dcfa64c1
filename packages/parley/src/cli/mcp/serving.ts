import { type AgentNews, Roster } from '../../bridges/mcp/serving/agents/roster.ts';
import { loadSchemaCheck } from '../../bridges/mcp/serving/agents/schema-check.ts';
import { Cancellations } from '../../bridges/mcp/serving/calls/turn.ts';
import { loadServerPackage } from '../../bridges/mcp/serving/packages.ts';
import type { BridgeServerOptions } from '../../bridges/mcp/serving/server.ts';
import { KeptResults } from '../../bridges/mcp/serving/tasks/kept-results.ts';
import { packageVersion } from '../../server/operator/node/package-version.ts';
import { outliveOutput } from '../broken-output.ts';
import { agentUrl, clientOf, milliseconds } from '../connect/connect.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../options.ts';
import { secretsOf } from '../show/given-secrets.ts';
import { problemOf } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';
import { serveHttp } from './http.ts';
import { serveStdio } from './stdio.ts';

/** Serves agents as tools of MCP until the client leaves or the process is told to stop. */
export async function serveMcp({ positionals, options }: Arguments, surroundings: Surroundings): Promise<number> {
  const { env, stderr, program } = surroundings;
  outliveOutput(surroundings);
  const timeout = options.timeout === undefined ? undefined : milliseconds(options.timeout);
  const explain = (error: unknown, url?: string) =>
    problemOf(error, { program, command: 'mcp', url, secrets: secretsOf(options, env) }).text;
  // Stdout belongs to the protocol.
  const log = (line: string) => void stderr.write(`parley: ${cleanLine(line)}\n`);
  const places = [...new Set(positionals.map(agentUrl))].map((url) => ({ url, client: clientOf(url, options, env) }));
  const tell = (news: AgentNews) => log(lineOf(news, explain, places.length === 1));
  const parts: BridgeServerOptions = {
    sdk: await loadServerPackage(),
    version: packageVersion(),
    roster: new Roster(places, { onNews: tell, checkSchema: await loadSchemaCheck(), timeout }),
    cancellations: new Cancellations(),
    kept: new KeptResults(),
    explain,
  };
  if (options.http === undefined) await serveStdio(parts, surroundings, log);
  else await serveHttp(parts, options, surroundings, log);
  return EXIT.done;
}

function lineOf(news: AgentNews, explain: (error: unknown, url: string) => string, isAlone: boolean): string {
  if (news.kind === 'found') return `${news.name} at ${news.url}: ${news.tools} ${news.tools === 1 ? 'tool' : 'tools'}`;
  return `${ended(explain(news.error, news.url))} It is looked for again${isAlone ? '' : '; the other agents are served'}.`;
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
