import { type A2AMatchers, a2aMatchers } from 'parley-a2a/testing';
import { expect } from 'vitest';

declare module 'vitest' {
  interface Matchers<R, T> extends A2AMatchers<R, T> {}
}

expect.extend(a2aMatchers);
