import { type Check, type Checks, filled, members, object, text } from '../../model/options/checks.ts';
import type { Mount } from './mounts.ts';

const MOUNT: Checks<Mount> = { path: text, dialect: filled, agent: filled, limits: object };

const check = members(MOUNT);

/** The limits are looked at with those of the server. */
export const mountCheck: Check = (value, name) => check(value, name) ?? missing(value as Mount, name);

function missing({ path, dialect }: Mount, name: string): string | undefined {
  const lacks = path === undefined ? 'path' : dialect === undefined ? 'dialect' : undefined;
  return lacks && `${name} needs a ${lacks}`;
}
