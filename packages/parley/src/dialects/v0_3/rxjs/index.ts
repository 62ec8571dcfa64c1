import type { Dialect } from '../../dialect.ts';
import { v0_3 } from '../index.ts';

/** 0.3 as the RxJS agents of seed S0 speak it. */
export const rxjs: Dialect = { ...v0_3, name: 'rxjs' };
