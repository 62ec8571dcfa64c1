import { takeGrpcLog } from '../../adapters/grpc/own-log.ts';
import { outliveOutput } from '../broken-output.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine, safeJson } from '../text/clean.ts';
import { UsageError } from '../usage-error.ts';
import { loadAgents } from './agents.ts';
import { greeting, reachable } from './greeting.ts';
import { recordLoadedFiles } from './loaded-files.ts';
import { checkDefault, listen } from './server.ts';
import { checkNode } from './settings/node-setting.ts';
import { agentsOf, readSettings, type ServeSettings, settingOf } from './settings/serve-settings.ts';
import { shownBusOf, shownStoreOf } from './settings/store-setting.ts';
import { stopped } from './stopped.ts';
import { startTelemetry } from './telemetry.ts';
import { followCertificates, tlsOf } from './tls.ts';
import { report, watchedRun, wordToServe } from './watched-child.ts';

/** Short, so that the new version of a changed file serves soon. */
const WATCHED_DRAIN = 1000;

/** gRPC's own lines have text of strangers in them. */
const LONGEST_GRPC_LINE = 500;

/** Serves until it is told to stop. */
export async function serveFiles({ positionals, options }: Arguments, surroundings: Surroundings): Promise<number> {
  const { cwd, program, stdout, stderr } = surroundings;
  outliveOutput(surroundings);
  const run = watchedRun(surroundings.env);
  const loaded = recordLoadedFiles();
  const say = (message: string) =>
    void stderr.write(options.json ? `${JSON.stringify({ message })}\n` : `parley: ${message}\n`);
  let file: string | undefined;
  const watched = () => (file === undefined ? [...loaded] : [file, ...loaded]);
  try {
    const settings = await readSettings({ positionals, options }, surroundings);
    file = settings.file;
    warnOfUnknown(settings, options.json === true, stderr);
    checkNode(settings);
    const files = agentsOf(settings);
    if (files.length === 0)
      throw new UsageError('serve needs FILE…, or agents in parley.config.json; parley init DIR makes a project');
    if (settingOf(settings, 'grpc.port') !== undefined) {
      await takeGrpcLog((text) => say(`gRPC: ${cleanLine(text.slice(0, LONGEST_GRPC_LINE))}`));
    }
    const agents = await loadAgents(files, cwd);
    checkDefault(agents, settings);
    if (run !== undefined) {
      report({ state: 'loaded', files: watched() });
      if (!(await wordToServe())) return EXIT.done;
    }
    const telemetry = await startTelemetry(settings, surroundings.env, say);
    const server = await listen(agents, settings, { cwd, stderr, drainTimeout: run && WATCHED_DRAIN });
    const url = server.url ?? '';
    const first = agents.find(({ name }) => name === settingOf(settings, 'default')) ?? agents[0];
    const ordered = agents.toSorted((one, other) => Number(other === first) - Number(one === first));
    if (options.json) {
      const described = ordered.map(({ name, version, description }) => ({ name, version, description }));
      const console = server.consoleUrl && reachable(server.consoleUrl);
      stdout.write(`${safeJson({ url: reachable(url), ...(console && { console }), agents: described })}\n`);
    } else if (run !== 'again') {
      stdout.write(
        greeting({
          url,
          publicUrl: settingOf<string>(settings, 'url'),
          agents: ordered,
          database: shownStoreOf(settings),
          bus: shownBusOf(settings),
          role: settingOf<string>(settings, 'role'),
          keys: settingOf<string>(settings, 'auth.keys'),
          authority: settingOf<string>(settings, 'tls.ca'),
          console: server.consoleUrl && reachable(server.consoleUrl),
          watches: run !== undefined,
          program,
        }),
      );
    } else
      stdout.write(`Started again: ${cleanLine(ordered.map(({ name }) => name).join(', '))} on ${reachable(url)}\n`);
    if (server.grpcAddress !== undefined) say(`gRPC is on ${server.grpcAddress}`);
    if (server.metricsUrl !== undefined) say(`Metrics are at ${server.metricsUrl}`);
    report({ state: 'serving', url, files: watched() });
    const tls = tlsOf(settings, cwd);
    const leaveCertificates = tls && followCertificates(server, tls, say);
    await stopped(surroundings);
    leaveCertificates?.();
    await server.close();
    await telemetry?.stop();
    return EXIT.done;
  } catch (error) {
    report({ state: 'failed', files: watched() });
    throw error;
  }
}

/** An unknown variable may be meant for something else, so that it is no mistake. */
function warnOfUnknown({ unknownVariables }: ServeSettings, isJson: boolean, stderr: Surroundings['stderr']): void {
  for (const name of unknownVariables) {
    const message = `${cleanLine(name)} is no setting of a server and was passed over.`;
    stderr.write(isJson ? `${JSON.stringify({ message })}\n` : `parley: ${message}\n`);
  }
}
