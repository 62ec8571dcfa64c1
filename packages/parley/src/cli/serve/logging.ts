import type { A2AServerOptions } from '../../server/options.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import type { Output } from '../surroundings.ts';
import { type ServeSettings, settingOf } from './settings/serve-settings.ts';

/** The log of a server: a program's own, or one by pino; undefined where nothing is said of it. Throws where it cannot be had. */
export async function logOf(settings: ServeSettings, output: Output): Promise<A2AServerOptions['log']> {
  const level = settingOf<string>(settings, 'log.level');
  const format = settingOf<string>(settings, 'log.format');
  if (level === undefined && format === undefined) return settingOf(settings, 'log');
  const create = await loaded('pino', async () => (await import('pino')).pino);
  const shape = { level: level ?? 'warn', base: null };
  const isPretty = (format ?? (output.isTTY ? 'pretty' : 'json')) === 'pretty';
  const log: A2AServerOptions['log'] = create(shape, isPretty ? await prettyTo(output) : output);
  return log;
}

async function prettyTo(output: Output) {
  const pretty = await loaded('pino-pretty', async () => (await import('pino-pretty')).default);
  return pretty({ destination: output, colorize: output.isTTY === true });
}

async function loaded<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    throw new CommandError(
      `--log-level and --log-format need the package ${name}; npm install ${name}`,
      EXIT.usage,
      'USAGE',
    );
  }
}
