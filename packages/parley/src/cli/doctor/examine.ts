import { resolve } from 'node:path';
import { exampleInput } from '../../model/card.ts';
import { agentUrl, clientOf, milliseconds } from '../connect/connect.ts';
import type { Arguments } from '../options.ts';
import { shortened } from '../serve/module-problem.ts';
import { portOf } from '../serve/server.ts';
import {
  databaseOf,
  readSettings,
  type ServeSettings,
  settingOf,
  storePlaceOf,
} from '../serve/settings/serve-settings.ts';
import { tlsOf } from '../serve/tls.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Finding, fail, ok, textOf } from './finding.ts';
import { checkBus } from './here/bus.ts';
import { checkCertificate } from './here/certificate.ts';
import { checkDatabase } from './here/database.ts';
import { checkClock, checkDisk, checkNode } from './here/machine.ts';
import { checkAccess, checkPort } from './here/place.ts';
import { checkSharedStore } from './here/shared-store.ts';
import { checkCard, checkReadiness, leadsElsewhere } from './there/server.ts';
import { checkStream } from './there/stream.ts';
import { checkTls } from './there/tls.ts';

const DEFAULT_TIMEOUT = 10_000;

/** Looks at this machine and its settings, and at a server if its address is given. Findings come as they are made. */
export async function* examine(args: Arguments, surroundings: Surroundings): AsyncGenerator<Finding> {
  yield* examineHere(args, surroundings);
  if (args.options.url !== undefined) yield* examineThere(args, surroundings);
}

async function* examineHere({ options }: Arguments, surroundings: Surroundings): AsyncGenerator<Finding> {
  const { cwd } = surroundings;
  yield checkNode();
  if (options.url === undefined) yield checkClock(Date.now());
  let settings: ServeSettings;
  try {
    // The address to look at is not that of the settings.
    settings = await readSettings({ positionals: [], options: { ...options, url: undefined } }, surroundings);
    yield ok(
      'config',
      settings.file === undefined
        ? 'no configuration file; the settings are valid'
        : `${shortened(settings.file, cwd)} is valid`,
    );
  } catch (error) {
    yield fail(
      'config',
      textOf(error),
      'Mend the settings; docs/configuration.md lists them, and serve --print-config shows those in force',
    );
    return;
  }
  yield checkAccess(settings);
  yield await checkPort(portOf(settings), settingOf<string>(settings, 'host') ?? '127.0.0.1');
  const file = databaseOf(settings);
  const place = storePlaceOf(settings);
  yield place?.kind === 'postgres'
    ? await checkSharedStore(place.url)
    : checkDatabase(file, resolve(cwd, file ?? ''), place === undefined);
  const bus = settingOf<unknown>(settings, 'bus');
  const isShared = place === undefined || place.kind === 'postgres';
  if (typeof bus === 'string') yield await checkBus(bus, isShared);
  yield checkDisk(resolve(cwd, file ?? 'parley.db'));
  yield* await examineTls(settings, cwd);
}

async function examineTls(settings: ServeSettings, cwd: string): Promise<readonly Finding[]> {
  try {
    const tls = tlsOf(settings, cwd);
    return tls ? [await checkCertificate(tls, settingOf<string>(settings, 'url'))] : [];
  } catch (error) {
    return [fail('certificate', textOf(error), 'Give both files')];
  }
}

async function* examineThere(
  { positionals: [text], options }: Arguments,
  { env }: Surroundings,
): AsyncGenerator<Finding> {
  const url = agentUrl(options.url ?? '');
  const timeout = options.timeout === undefined ? DEFAULT_TIMEOUT : milliseconds(options.timeout);
  const findings = await checkReadiness(url, AbortSignal.timeout(timeout));
  yield* findings;
  yield await checkTls(url, timeout);
  if (
    findings.some(({ check, status, message }) => check === 'ready' && status === 'fail' && message.includes('reached'))
  )
    return;
  const client = clientOf(url, options, env, { believesAnyCard: true });
  const card = await checkCard(client, url, AbortSignal.timeout(timeout));
  yield card;
  if (card.status === 'fail' || leadsElsewhere(client, url)) return;
  const example = client.card?.skills?.flatMap(({ examples = [] }) => examples.map(exampleInput))[0];
  yield await checkStream(client, text ?? example ?? 'Hello', timeout);
}
