import type { Dialect } from './dialect.ts';
import { jaf } from './jaf/index.ts';
import { banterop } from './v0_3/banterop/index.ts';
import { cogitator } from './v0_3/cogitator/index.ts';
import { v0_3 } from './v0_3/index.ts';
import { rxjs, rxjsOlder } from './v0_3/rxjs/index.ts';
import { v1_0 } from './v1_0/index.ts';
import { v1_draft, v1_draftStream } from './v1_draft/index.ts';

/**
 * What settings call a dialect: the official versions by their number, the draft of 1.0, JAF, and the variants of 0.3
 * that some systems speak. `v1_draft-stream` is the draft where every send streams, `rxjs-older` has older spellings.
 */
export type DialectName =
  | '1.0'
  | '0.3'
  | 'v1_draft'
  | 'v1_draft-stream'
  | 'jaf'
  | 'rxjs'
  | 'rxjs-older'
  | 'cogitator'
  | 'banterop';

const BY_NAME: Readonly<Record<DialectName, Dialect>> = {
  '1.0': v1_0,
  '0.3': v0_3,
  v1_draft,
  'v1_draft-stream': v1_draftStream,
  jaf,
  rxjs,
  'rxjs-older': rxjsOlder,
  cogitator,
  banterop,
};

/** Throws a TypeError that lists the names. */
export function dialectNamed(name: string): Dialect {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name as DialectName];
  const byFolder = Object.values(BY_NAME).find((dialect) => dialect.name === name);
  if (byFolder) return byFolder;
  throw new TypeError(`There is no dialect "${name}". There are: ${Object.keys(BY_NAME).join(', ')}`);
}
