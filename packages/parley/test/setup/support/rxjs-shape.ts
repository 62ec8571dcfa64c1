/**
 * What the documents' examples use of RxJS, as far as its types go: RxJS itself is not installed here. `from` takes what
 * the real one takes, so that the examples also show that Parley's types fit.
 */
export const RXJS_SHAPE = `declare module 'rxjs' {
  interface Observer<T> { next: (value: T) => void; error: (error: any) => void; complete: () => void }
  interface Subscription { unsubscribe(): void; readonly closed: boolean }
  type Step<In, Out> = (source: Observable<In>) => Observable<Out>;
  class Observable<T> {
    subscribe(observer?: Partial<Observer<T>> | ((value: T) => void)): Subscription;
    pipe<A>(a: Step<T, A>): Observable<A>;
    pipe<A, B>(a: Step<T, A>, b: Step<A, B>): Observable<B>;
    pipe<A, B, C>(a: Step<T, A>, b: Step<A, B>, c: Step<B, C>): Observable<C>;
  }
  function from<T>(input: Observable<T> | AsyncIterable<T> | PromiseLike<T> | Iterable<T>): Observable<T>;
  function interval(milliseconds: number): Observable<number>;
  function filter<T, S extends T>(fits: (value: T) => value is S): Step<T, S>;
  function filter<T>(fits: (value: T) => boolean): Step<T, T>;
  function map<T, R>(change: (value: T) => R): Step<T, R>;
  function retry<T>(count: number): Step<T, T>;
  function take<T>(count: number): Step<T, T>;
}
`;
