import { isLoopbackHost } from '../../../server/routing/locality.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandError } from '../../show/problems.ts';
import { type ServeSettings, settingOf, storePlaceOf } from './serve-settings.ts';

/** Throws where what is for servers that share a store has none, and where a worker would listen for others. */
export function checkNode(settings: ServeSettings): void {
  const role = settingOf<string>(settings, 'role') ?? 'all';
  const host = settingOf<string>(settings, 'host');
  const place = storePlaceOf(settings);
  const isShared = place === undefined || place.kind === 'postgres';
  const isMeant = isShared || (role === 'all' && settingOf(settings, 'bus') === undefined);
  if (!isShared && settings.resolved.get('limits.leaseLifetime')?.origin === 'flag') {
    throw refusal('--lease is for servers that share a store; give them one: --store postgres://…');
  }
  if (!isMeant) {
    const what = role === 'all' ? '--bus' : `--role ${role}`;
    throw refusal(`${what} is for servers that share a store; give them one: --store postgres://…`);
  }
  if (role === 'worker' && host !== undefined && !isLoopbackHost(host)) {
    throw refusal('--role worker listens on this machine only, for /healthz, /readyz and /metrics; leave --host out');
  }
}

function refusal(problem: string): CommandError {
  return new CommandError(problem, EXIT.usage, 'USAGE');
}
