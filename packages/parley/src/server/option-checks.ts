import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import { isPlainObject } from '../model/basics/json.ts';
import {
  anything,
  type Check,
  type Checks,
  called,
  checkOptions,
  filled,
  flag,
  having,
  httpUrl,
  listOf,
  members,
  object,
  oneOf,
  takes,
  text,
  texts,
  values,
} from '../model/options/checks.ts';
import { extensionCheck } from './intercept/extension-check.ts';
import { formerName } from './known-names.ts';
import type { CallerSettings } from './limits/traffic-settings.ts';
import type { A2AServerOptions } from './options.ts';
import { mountCheck } from './routing/mount-check.ts';

const dialect: Check = takes(
  'a dialect of parley-a2a/dialects, or one of your own',
  (value) => isPlainObject(value) && typeof value.name === 'string',
);

const tenants: Check = (value, name) => (typeof value === 'function' ? undefined : texts(value, name));

/** Looked at here, and not where it is used: that is a part of clients too. */
const FILES: Checks<FileEncodingOptions> = {
  read: oneOf('detect', 'once', 'twice'),
  write: oneOf('once', 'twice'),
};

/** The limits that are no numbers; those have defaults, and are looked at with them. */
const CALLERS: Checks<Pick<CallerSettings, 'perCaller' | 'rateStore'>> = {
  perCaller: called,
  rateStore: having('a store of rates with a function take', 'take'),
};

/** The checks of all options; `anything` is looked at where it is resolved. */
const OPTIONS: Checks<A2AServerOptions> = {
  agents: anything,
  default: filled,
  url: httpUrl,
  trustProxy: flag,
  hosts: anything,
  cors: anything,
  basePath: text,
  store: having('a store, such as memory() or sqlite(file)', 'commit', 'load', 'read'),
  taskStore: having('a task store with create, get, update and list', 'create', 'get', 'update', 'list'),
  auth: anything,
  open: flag,
  authorize: called,
  secretKey: anything,
  interceptors: listOf(extensionCheck, 'a list of interceptors'),
  limits: values(CALLERS),
  retention: object,
  drainTimeout: anything,
  role: anything,
  push: anything,
  tenants,
  anonymous: oneOf('shared', 'private'),
  inferVersion: flag,
  statusMessageSource: oneOf('agent', 'latest'),
  jsonRpcBatches: flag,
  errorTable: oneOf('1.0.0', '1.0.1'),
  fileEncoding: members(FILES),
  card: anything,
  dialects: listOf(dialect, 'a list of dialects'),
  mounts: listOf(mountCheck, 'a list of mounts'),
  // Each is looked at where it is served.
  bindings: listOf(anything, 'a list of bindings'),
  grpc: anything,
  metrics: anything,
  console: anything,
  log: having('a logger with functions error and warn', 'error', 'warn'),
  bus: having('a bus, such as nats(url)', 'join', 'leave', 'publish'),
  clock: having('a clock with functions now and after', 'now', 'after'),
  newId: called,
};

/** Throws a TypeError for an option that there is not, or a wrong value. */
export function checkServerOptions(options: unknown): void {
  checkOptions('', options, OPTIONS, formerName);
}
