import { type RefObject, useEffect, useRef, useState } from 'react';

/** So near to the end of the page counts as the end. */
const NEAR_END_PX = 80;

/**
 * Keeps the window at the end of the page while its content grows, unless the person scrolled up; then it stays where it is, and
 * `toEnd` goes back.
 */
export function useStickToEnd(content: RefObject<HTMLElement | null>): {
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
} {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  useEffect(() => {
    const element = content.current;
    if (element === null) return;
    const scrollToEnd = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    // Only the person moves the window up; growing content alone never does.
    let lastTop = scrollY;
    const onScroll = () => {
      const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
      if (rest <= NEAR_END_PX) sticks.current = true;
      else if (scrollY < lastTop - 2) sticks.current = false;
      lastTop = scrollY;
      setAtEnd(sticks.current);
    };
    const observer = new ResizeObserver(() => {
      if (sticks.current) scrollToEnd();
    });
    observer.observe(element);
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', onScroll);
    };
  }, [content]);
  const toEnd = () => {
    sticks.current = true;
    setAtEnd(true);
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
  };
  return { isAtEnd, toEnd };
}
