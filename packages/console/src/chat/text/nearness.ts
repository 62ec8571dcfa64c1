/** Tells whether an element is near to the window, now and whenever that changes; returns what ends it. */
type Watch = (element: Element, listener: (isNear: boolean) => void) => () => void;

/** What is nearer to the window than this is rendered as Markdown. */
export const watchNearness = watchWithin('1000px 0px');
/** What is farther away than this is folded. */
export const watchFarness = watchWithin('5000px 0px');

/** One observer serves all elements. It is made when the first one comes, since pages are rendered without a window in tests. */
function watchWithin(rootMargin: string): Watch {
  const listeners = new Map<Element, (isNear: boolean) => void>();
  let observer: IntersectionObserver | undefined;
  const tell = (changes: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of changes) listeners.get(target)?.(isIntersecting);
  };
  return (element, listener) => {
    observer ??= new IntersectionObserver(tell, { rootMargin });
    listeners.set(element, listener);
    observer.observe(element);
    return () => {
      listeners.delete(element);
      observer?.unobserve(element);
    };
  };
}
