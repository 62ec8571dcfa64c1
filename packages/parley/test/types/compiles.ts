/** Takes code that is there to be compiled. It is never called. */
export function compiles(_code: (...args: never[]) => unknown): void {}
