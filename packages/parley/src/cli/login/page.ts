import { spawn } from 'node:child_process';
import type { Surroundings } from '../surroundings.ts';

/** A browser can be shown to the user of this terminal. */
export function hasBrowser({ env, stderr }: Surroundings, platform: string = process.platform): boolean {
  if (stderr.isTTY !== true || env.SSH_CONNECTION || env.SSH_TTY) return false;
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens an http(s) address in the user's browser; if that fails, the address was printed anyway. */
export function openPage(url: string, platform: string = process.platform): void {
  const [command, ...args] = openerOf(platform);
  // No shell: the address is an authorization server's.
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function openerOf(platform: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
