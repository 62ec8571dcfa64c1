import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine, safeJson } from '../text/clean.ts';
import { loadAgents } from './agents.ts';
import { greeting, reachable } from './greeting.ts';
import { recordLoadedFiles } from './loaded-files.ts';
import { checkDefault, listen } from './server.ts';
import { stopped } from './stopped.ts';
import { followCertificates, tlsOf } from './tls.ts';
import { report, watchedRun, wordToServe } from './watched-child.ts';

/** Serves until it is told to stop. */
export async function serveFiles(
  { positionals: files, options }: Arguments,
  surroundings: Surroundings,
): Promise<number> {
  const { cwd, program, stdout, stderr } = surroundings;
  const run = watchedRun(surroundings.env);
  const loaded = recordLoadedFiles();
  try {
    const agents = await loadAgents(files, cwd);
    checkDefault(agents, options);
    if (run !== undefined) {
      report({ state: 'loaded', files: [...loaded] });
      if (!(await wordToServe())) return EXIT.done;
    }
    const server = await listen(agents, options, cwd);
    const url = server.url ?? '';
    const first = agents.find(({ name }) => name === options.default) ?? agents[0];
    const ordered = agents.toSorted((one, other) => Number(other === first) - Number(one === first));
    if (options.json) {
      const described = ordered.map(({ name, version, description }) => ({ name, version, description }));
      stdout.write(`${safeJson({ url: reachable(url), agents: described })}\n`);
    } else if (run !== 'again') {
      stdout.write(
        greeting({
          url,
          publicUrl: options.url,
          agents: ordered,
          database: options.db,
          keys: options.keys,
          authority: options['tls-ca'],
          watches: run !== undefined,
          program,
        }),
      );
    } else
      stdout.write(`Started again: ${cleanLine(ordered.map(({ name }) => name).join(', '))} on ${reachable(url)}\n`);
    report({ state: 'serving', url, files: [...loaded] });
    const tls = tlsOf(options, cwd);
    const leaveCertificates =
      tls &&
      followCertificates(server, tls, (message) =>
        stderr.write(options.json ? `${JSON.stringify({ message })}\n` : `parley: ${message}\n`),
      );
    await stopped(surroundings);
    leaveCertificates?.();
    await server.close();
    return EXIT.done;
  } catch (error) {
    report({ state: 'failed', files: [...loaded] });
    throw error;
  }
}
