/** A value now, or later. In-process stores return at once and cost no promise. */
export type Awaitable<T> = T | Promise<T>;
