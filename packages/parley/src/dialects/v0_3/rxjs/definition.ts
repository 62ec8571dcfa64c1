import type { CompleteDialect } from '../../definition.ts';
import { callRxjs, callRxjsOlder } from './calling.ts';
import { rxjsOlder, rxjs as serving } from './index.ts';

/** 0.3 as the RxJS agents of seed S0 speak it. Its variant has the older spellings. */
export const rxjs: CompleteDialect = {
  name: 'rxjs',
  serving,
  calling: callRxjs,
  variants: [{ name: 'rxjs-older', serving: rxjsOlder, calling: callRxjsOlder }],
};
