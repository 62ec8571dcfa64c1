import { resolve } from 'node:path';
import { openServer } from '../../../check/connect.ts';
import { importGrpc } from '../../../check/grpc/import-grpc.ts';
import { type Prompt, SITUATIONS, type Situation } from '../../../check/probe/prompts.ts';
import { type RunningReceiver, startReceiver } from '../../../check/probe/receiver.ts';
import { countOf } from '../../../check/result.ts';
import { isChosen, runCheck } from '../../../check/run-check.ts';
import { ALL_RULES } from '../../../check/table/all-rules.ts';
import { nearest } from '../../../model/options/nearest.ts';
import { credentialsOf } from '../../check/credentials.ts';
import { junitOf, prepareReport, resultObject, summaryObject, writeReport } from '../../check/report-files.ts';
import { reportLines } from '../../check/report-lines.ts';
import type { Command } from '../../command.ts';
import { agentUrl, headersOf, milliseconds, originOf } from '../../connect/connect.ts';
import { isAllowedPlace, isGrpcPlace } from '../../connect/own-origin.ts';
import { EXIT } from '../../exit-codes.ts';
import { type Options, oneOf } from '../../options.ts';
import { secretsOf } from '../../show/given-secrets.ts';
import { CommandError } from '../../show/problems.ts';
import { Screen } from '../../show/screen.ts';
import { Interruption } from '../../turn/interruption.ts';
import { UsageError } from '../../usage-error.ts';

const VERSIONS = ['1.0', '0.3'] as const;
const BINDINGS = ['jsonrpc', 'rest', 'grpc'] as const;

export const check: Command = {
  name: 'check',
  parameters: 'URL',
  summary: 'check which rules of the protocol an agent keeps and which it breaks',
  details:
    'Sends plain messages to every interface of the card and checks what comes back, one line per rule. A ' +
    'broken MUST is a FAIL, a broken SHOULD a WARN, and what the agent does not show is a SKIP. The exit code ' +
    'is 1 if a rule fails. docs/check.md has the details.',
  words: [1, 1],
  optionHelp: { timeout: 'stop the whole check after this long (180)' },
  options: [
    'json',
    'junit',
    'only',
    'prompt',
    'token',
    'other-token',
    'header',
    'binding',
    'protocol',
    'timeout',
    'allow-origin',
    'listen',
  ],
  examples: [
    'check localhost:4000',
    'check localhost:4000 --only card --only send.wrapped',
    'check agents.example.com --protocol 1.0 --binding jsonrpc --token TOKEN',
    'check localhost:4000 --junit report.xml',
  ],

  async run({ positionals: [url = ''], options }, surroundings) {
    const only = chosenRules(options.only ?? []);
    const address = agentUrl(url);
    const { env, cwd } = surroundings;
    const headers = headersOf(options.header ?? []);
    const allowed = options['allow-origin']?.map(originOf) ?? [];
    const junit = options.junit === undefined ? undefined : resolve(cwd, options.junit);
    if (junit !== undefined) prepareReport(junit);
    const screen = new Screen(surroundings, options.json);
    const interruption = new Interruption(surroundings, screen);
    const otherToken = options['other-token'];
    const receiver = await receiverFor(address, options.listen);
    screen.busy(`asking ${address}…`);
    try {
      const server = await openServer(address, {
        importGrpc,
        version: options.protocol === undefined ? undefined : oneOf('protocol', options.protocol, VERSIONS),
        binding: options.binding === undefined ? undefined : oneOf('binding', options.binding, BINDINGS),
        credentials: credentialsOf({ token: options.token ?? (env.PARLEY_TOKEN || undefined), headers, env }),
        otherCredentials: otherToken === undefined ? undefined : credentialsOf({ token: otherToken, headers: {}, env }),
        prompts: promptsOf(options.prompt ?? []),
        totalMs: options.timeout === undefined ? undefined : milliseconds(options.timeout),
        receiver,
        isAllowed: (target, binding) =>
          (binding === 'grpc' ? isGrpcPlace : isAllowedPlace)(target, [address, ...allowed]),
      });
      try {
        if (server.targets.length === 0) throw noInterface(server.declared, options);
        const report = await runCheck(server, {
          only,
          signal: interruption.signal,
          onRule: (id, index, count) => {
            screen.activity = `${index + 1} of ${count}: ${id}`;
          },
        });
        screen.idle();
        const secrets = secretsOf(options, env);
        if (options.json) {
          for (const result of report.results) screen.object(resultObject(result, secrets));
          screen.object(summaryObject(report));
        } else {
          const columns = screen.isShown ? screen.columns : undefined;
          screen.write(`${reportLines(report, { style: screen.style, columns, secrets }).join('\n')}\n`);
        }
        // Last: a report that cannot be kept has been printed.
        if (junit !== undefined) writeReport(junit, junitOf(report, secrets));
        return countOf(report.results, 'FAIL') > 0 ? EXIT.failed : EXIT.done;
      } finally {
        server.sender.close();
      }
    } finally {
      receiver?.close();
      screen.idle();
      interruption.release();
    }
  },
};

/** A receiver of push notifications: on this machine for a server that is here, elsewhere where the user says. */
async function receiverFor(address: string, host: string | undefined): Promise<RunningReceiver | undefined> {
  if (host === undefined && !isAllowedPlace(`http://${new URL(address).hostname}`, ['http://localhost']))
    return undefined;
  try {
    return await startReceiver(host);
  } catch {
    throw new UsageError(`--listen: this machine cannot listen on ${host}`);
  }
}

/** Areas and ids as they are written in `--only`, several in one with commas between. */
function chosenRules(words: readonly string[]): readonly string[] {
  const only = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const known = [...new Set(ALL_RULES.flatMap(({ id, area }) => [area, id]))];
  for (const word of only) {
    if (ALL_RULES.some((info) => isChosen(info, [word]))) continue;
    const meant = nearest(word, known);
    throw new UsageError(`--only: there is no rule or area "${word}"${meant ? `; did you mean ${meant}?` : ''}`);
  }
  return only;
}

function promptsOf(lines: readonly string[]): Partial<Record<Situation, Prompt>> {
  const prompts: Partial<Record<Situation, Prompt>> = {};
  for (const line of lines) {
    const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(line) ?? [];
    const situation = SITUATIONS.find((one) => one === name.trim());
    if (situation === undefined || text === '') {
      throw new UsageError(`--prompt must be SITUATION=TEXT with one of ${SITUATIONS.join(', ')}, not "${line}"`);
    }
    prompts[situation] = { text };
  }
  return prompts;
}

function noInterface(declared: readonly { readonly url: string }[], options: Options): Error {
  if (options.protocol !== undefined || options.binding !== undefined) {
    return new UsageError(
      'The card has no interface of the version and binding that were asked for; without --protocol and --binding, all that it has are looked at',
    );
  }
  const [first] = declared;
  if (first === undefined)
    return new CommandError(
      'The card names no interface, so there is nothing to call; give it supportedInterfaces (1.0) or url (0.3)',
      EXIT.unreachable,
      'INVALID_RESPONSE',
    );
  return new CommandError(
    'The card names no interface that may be called: it must be JSONRPC, HTTP+JSON or GRPC in 1.0 or 0.3, at the origin of the card or at one that --allow-origin ORIGIN allows',
    EXIT.unauthorized,
    'FOREIGN_ORIGIN',
  );
}
