import { useCallback, useEffect, useState } from 'react';

/** Browsers allow few changes of the address; a person who drags makes hundreds. */
const SETTLED_MS = 300;

export interface SelectedEvent {
  /** Undefined: the latest, whatever comes. */
  readonly seq: number | undefined;
  readonly select: (seq: number | undefined) => void;
}

/** The event that is looked at. It is in the address (`#12`), so that a link opens the task at it. */
export function useSelectedEvent(): SelectedEvent {
  const [seq, setSeq] = useState(() => seqOf(location.hash));
  useEffect(() => {
    const follow = () => setSeq(seqOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (seqOf(location.hash) === seq) return;
    const timer = setTimeout(() => {
      const { pathname, search } = location;
      history.replaceState(history.state, '', `${pathname}${search}${seq === undefined ? '' : `#${seq}`}`);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [seq]);
  return { seq, select: useCallback((chosen: number | undefined) => setSeq(chosen), []) };
}

function seqOf(hash: string): number | undefined {
  return /^#\d{1,15}$/.test(hash) ? Number(hash.slice(1)) : undefined;
}
