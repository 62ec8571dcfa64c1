/** The receiver of an observable's values. */
export interface ObserverLike<Value> {
  readonly next: (value: Value) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

/** Stops a subscription; some libraries return an object, some a function. */
export type Unsubscribe = { unsubscribe(): void } | (() => void) | undefined | void;

/** Anything that can be subscribed to. An `Observable` of RxJS is one; nothing of RxJS is needed for it. */
export interface ObservableLike<Value> {
  subscribe(observer: ObserverLike<Value>): Unsubscribe;
}

/** The name that libraries know each other's observables by, where `Symbol.observable` is not defined. */
export const OBSERVABLE_NAME = '@@observable';

/** The keys under which an object may have a function that gives an observable. */
export function observableKeys(): readonly (string | symbol)[] {
  const symbol: unknown = Reflect.get(Symbol, 'observable');
  return typeof symbol === 'symbol' ? [symbol, OBSERVABLE_NAME] : [OBSERVABLE_NAME];
}

/** The value as an observable; undefined if it is not one. */
export function observableOf(value: unknown): ObservableLike<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isSubscribable(value)) return value;
  for (const key of observableKeys()) {
    const convert: unknown = Reflect.get(value, key);
    const converted: unknown = typeof convert === 'function' ? convert.call(value) : undefined;
    if (typeof converted === 'object' && converted !== null && isSubscribable(converted)) return converted;
  }
  return undefined;
}

function isSubscribable(value: object): value is ObservableLike<unknown> {
  return 'subscribe' in value && typeof value.subscribe === 'function';
}

export function unsubscribe(subscription: Unsubscribe): void {
  if (typeof subscription === 'function') subscription();
  else subscription?.unsubscribe();
}
