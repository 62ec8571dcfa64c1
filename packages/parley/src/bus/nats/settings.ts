import { isList } from '../../model/basics/json.ts';
import { type Checks, checkOptions, object, requireRight, takesUnseen, text } from '../../model/options/checks.ts';
import { Subjects } from './subjects.ts';

export interface NatsOptions {
  /** The address of a NATS server, or several of one cluster: `nats://host:4222`, `tls://user:password@host`, `nats://token@host`. */
  readonly servers: string | readonly string[];
  /**
   * The first word of all subjects; you can also write it as the path of an address. Servers with the same NATS and
   * another store need another prefix. Default `parley`.
   */
  readonly prefix?: string | undefined;
  /** More settings for `connect` of `@nats-io/transport-node`, such as `authenticator` and `tls`. */
  readonly connection?: Readonly<Record<string, unknown>> | undefined;
}

export interface NatsSettings {
  readonly subjects: Subjects;
  /** For `connect`. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** The addresses without what is secret, for logs and errors. */
  readonly shown: string;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['nats:', 'tls:']);

const address = takesUnseen('the address of a server, such as nats://127.0.0.1:4222, or a list of them', (value) =>
  (isList(value) ? value : [value]).every((one) => typeof one === 'string'),
);

const OPTIONS: Checks<NatsOptions> = { servers: address, prefix: text, connection: object };

/** Reads addresses and options; throws for what cannot be one. */
export function readNatsSettings(given: string | NatsOptions): NatsSettings {
  const options: NatsOptions = typeof given === 'string' ? { servers: given } : given;
  checkOptions('nats', options, OPTIONS);
  requireRight('nats', address(options.servers, 'servers'));
  const texts = (typeof options.servers === 'string' ? [options.servers] : options.servers)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim());
  const urls = texts.map(readAddress);
  const [first] = urls;
  if (!first) throw new Error('nats() needs the address of a server, such as nats://127.0.0.1:4222');
  const prefix = options.prefix ?? urls.map(({ pathname }) => pathname.slice(1)).find((path) => path !== '');
  const hosts = urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`);
  return {
    subjects: new Subjects(prefix ?? 'parley'),
    connection: {
      servers: hosts,
      ...credentialsOf(first),
      ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
      ...options.connection,
    },
    shown: hosts.map((host) => `nats://${host}`).join(','),
  };
}

/** The text is not repeated in errors: it may have a password in it. */
function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !PROTOCOLS.has(url.protocol) || url.hostname === '') {
    throw new Error('An address of NATS looks like nats://host:4222 or tls://user:password@host');
  }
  return url;
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
