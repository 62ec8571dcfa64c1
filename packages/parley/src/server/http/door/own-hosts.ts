import { quoted } from '../../../model/errors/errors.ts';
import { isLoopbackHost } from '../../routing/locality.ts';

/** The names by which a server may be addressed: `true` for any, or a list such as `['agents.example.com']`. */
export type HostsSetting = true | readonly string[];

interface OwnHostsOptions {
  readonly hosts?: HostsSetting | undefined;
  readonly url?: string | undefined;
}

/** Recognises the names of a server: those of this machine, the host of its `url`, and those that the setting lists. */
export class OwnHosts {
  readonly #isAny: boolean;
  readonly #names: ReadonlySet<string>;
  /** The host of the request before, which is most often that of the next. */
  #last: string | undefined;

  /** Throws a TypeError for what is no host name. */
  constructor({ hosts = [], url }: OwnHostsOptions) {
    this.#isAny = hosts === true;
    if (hosts !== true && !Array.isArray(hosts)) {
      throw new TypeError(`hosts must be true or a list of names, not ${JSON.stringify(hosts)}`);
    }
    const listed = hosts === true ? [] : hosts.map(checkedName);
    const own = url === undefined ? undefined : URL.parse(url)?.hostname;
    this.#names = new Set(own ? [...listed, nameOf(own)] : listed);
  }

  /** Tells whether the settings name a host, or allow any. */
  get areNamed(): boolean {
    return this.#isAny || this.#names.size > 0;
  }

  /** `host`: as in a header. Its port may be any one: what forwards a port, such as a container, may change it. */
  includes(host: string): boolean {
    return this.#isAny || host === this.#last || this.#remembers(host);
  }

  #remembers(host: string): boolean {
    if (!this.lists(host)) return false;
    this.#last = host;
    return true;
  }

  /** The same, but where any name is allowed: a page of another site has some name, too. */
  lists(host: string): boolean {
    return isLoopbackHost(host) || this.#names.has(nameOf(host));
  }
}

/** A host without its port, in lower case and without the dot at the end of a full name. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
}

function checkedName(host: unknown): string {
  const url = typeof host === 'string' ? URL.parse(`http://${host}`) : null;
  if (typeof host === 'string' && url && url.host !== '' && url.href === `http://${url.host}/`) return nameOf(host);
  const shown = quoted(JSON.stringify(host) ?? String(host));
  throw new TypeError(`hosts: ${shown} is not a host; write its name or address alone, e.g. "agents.example.com"`);
}
