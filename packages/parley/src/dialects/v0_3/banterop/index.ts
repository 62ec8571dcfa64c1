import type { Dialect } from '../../dialect.ts';
import { v0_3 } from '../index.ts';
import { rpcError } from './errors.ts';

/** 0.3 as the report of seed S4 wants it: official but for one error. */
export const banterop: Dialect = {
  ...v0_3,
  name: 'banterop',
  jsonRpcOnly: true,
  addresses: { mounts: (basePath) => [`${basePath}/v1`], isListed: true },
  quirks: { rpcError },
};
