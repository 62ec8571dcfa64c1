import type { Asked } from '../http/asked.ts';

/** Lets a request pass, at once or after a while; throws the A2AError of one that comes too often. */
export type Limiter = (asked: Asked) => Promise<void> | undefined;
