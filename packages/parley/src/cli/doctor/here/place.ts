import { once } from 'node:events';
import { createServer } from 'node:net';
import { isLoopbackAddress } from '../../../server/routing/locality.ts';
import { type ServeSettings, settingOf } from '../../serve/settings/serve-settings.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

/** Tries to listen where the server would. */
export async function checkPort(port: number, host: string): Promise<Finding> {
  if (port === 0) return ok('port', 'any free one');
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok('port', `${port} on ${host} is free`);
  } catch (error) {
    return await refusedPort(error, port, host);
  } finally {
    server.close();
  }
}

async function refusedPort(error: unknown, port: number, host: string): Promise<Finding> {
  const where = `Port ${port} on ${host}`;
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return (await isParley(port, host))
        ? warn(
            'port',
            `${where} is taken by a Parley server`,
            'That is right if it is the one that you mean; --url looks at it',
          )
        : fail('port', `${where} is taken by another program`, 'Stop that one, or choose another --port');
    case 'EACCES':
      return fail(
        'port',
        `${where} may not be used by this user`,
        'Choose a port above 1023, or give the process CAP_NET_BIND_SERVICE',
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return fail(
        'port',
        `${host} is not an address of this machine`,
        '--host 127.0.0.1 is this machine alone, --host 0.0.0.0 all of its addresses',
      );
    default:
      return fail('port', `${where} cannot be had: ${textOf(error)}`, 'Choose another --port or --host');
  }
}

const PATIENCE = 2000;

async function isParley(port: number, host: string): Promise<boolean> {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const response = await fetch(`http://${near}:${port}/livez`, { signal: AbortSignal.timeout(PATIENCE) });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'status' in body;
  } catch {
    return false;
  }
}

/** A server that other machines reach must say who may call. */
export function checkAccess(settings: ServeSettings): Finding {
  const host = settingOf<string>(settings, 'host') ?? '127.0.0.1';
  const guards = ['auth', 'auth.keys', 'auth.jwt.issuer', 'tls.ca'].filter((name) => settings.resolved.has(name));
  if (guards.length > 0) return ok('access', `callers are told apart by ${guards.join(', ')}`);
  if (isLoopbackAddress(host) || /^(?:.+\.)?localhost$/i.test(host))
    return ok('access', 'only this machine reaches the server');
  if (settingOf<boolean>(settings, 'open')) {
    return warn(
      'access',
      `Anybody who reaches ${host} may call`,
      'That is right where a proxy lets in only whom it knows; else set auth',
    );
  }
  return fail(
    'access',
    `Other machines reach ${host}, and there is no auth: the server refuses to start`,
    '--keys FILE lets in those with a key, --open anybody',
  );
}
