import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { refusal } from '../../bridges/mcp/serving/http/sessions.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import type { Authenticator } from '../../server/auth/authenticator.ts';
import { Door } from '../../server/http/door/door.ts';
import { isLoopbackAddress, isLoopbackHost } from '../../server/routing/locality.ts';
import { EXIT } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { CommandError } from '../show/problems.ts';

/**
 * Keeps out who may not use the agents with the credentials of the person that runs the bridge: other machines without a key,
 * and web pages, as a server of agents does.
 */
export class McpDoor {
  readonly #door: Door;
  readonly #isLoopback: boolean;
  readonly #keys: Authenticator | undefined;

  private constructor(isLoopback: boolean, keys: Authenticator | undefined) {
    // On an address of its own any name is fine, but pages of other sites are not.
    this.#door = new Door(isLoopback ? {} : { hosts: true }, undefined);
    this.#isLoopback = isLoopback;
    this.#keys = keys;
  }

  /** Throws if other machines would be let in without a setting that says so. */
  static async open({ host = '', keys, open }: Options, cwd: string, log: (line: string) => void): Promise<McpDoor> {
    const isLoopback = isLoopbackHost(host) || isLoopbackAddress(host);
    if (keys !== undefined && open) throw usage('Either --keys or --open: a server lets in some or all');
    if (!isLoopback && keys === undefined && !open) {
      throw usage(
        `Other machines reach ${host}, and could use the agents as you; --keys FILE lets in those with a key, --open lets in anybody`,
      );
    }
    if (keys === undefined) return new McpDoor(isLoopback, undefined);
    const { usableKeys } = await import('../keys/usable-keys.ts');
    const authenticator = await usableKeys(resolve(cwd, keys));
    await authenticator.open?.({ log: { error: log, warn: log }, now: Date.now });
    return new McpDoor(isLoopback, authenticator);
  }

  /** The response to a request that may not come in. */
  async refusalOf(request: IncomingMessage): Promise<Response | undefined> {
    const { method = '', url = '', headers } = request;
    const peer = { isOwnLoopback: this.#isLoopback };
    const foreign = this.#door.refusalOf({
      request: { method, url, headers, peer, body: undefined },
      route: undefined,
    });
    if (foreign) return this.refuse(403, `${foreign.message.split('. If ')[0] ?? ''}.`);
    if (!this.#keys) return undefined;
    try {
      const identity = await this.#keys.authenticate({ method, url, headers, peer });
      return identity ? undefined : this.refuse(401, 'A key is needed, in the header X-API-Key');
    } catch (error) {
      if (!isA2AError(error)) throw error;
      return this.refuse(error.code === 'UNAUTHENTICATED' ? 401 : 503, error.message);
    }
  }

  refuse(status: number, message: string, headers?: Readonly<Record<string, string>>): Response {
    return refusal(status, message, headers);
  }
}

function usage(text: string): CommandError {
  return new CommandError(text, EXIT.usage, 'USAGE');
}
