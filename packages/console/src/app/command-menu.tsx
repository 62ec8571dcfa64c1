import { lazy, Suspense, useEffect } from 'react';
import { useServerInfo } from '../api/server-info.ts';
import { Dialog, Loading } from '../design/components/index.ts';
import styles from './command-list.module.css';

/** Milliseconds after the first screen until the menu is loaded, so that it is there when it is wanted. */
const LOAD_DELAY = 1000;
const load = () => import('./command-list.tsx');
const CommandList = lazy(load);

/** ⌘K: a menu that jumps to any agent, task or page by some letters of its name. */
export function CommandMenu({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const isUseful = useServerInfo().data !== undefined;
  useEffect(() => {
    if (!isUseful) return;
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_DELAY);
    return () => clearTimeout(timer);
  }, [isUseful]);
  return (
    <Dialog title="Jump to…" isOpen={isOpen} onClose={onClose} bare>
      <div className={styles.menu}>
        <Suspense fallback={<Loading what="the menu" />}>
          <CommandList onDone={onClose} />
        </Suspense>
      </div>
    </Dialog>
  );
}
