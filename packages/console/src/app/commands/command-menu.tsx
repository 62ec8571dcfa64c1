import { lazy, Suspense, useEffect, useState } from 'react';
import { useServerInfo } from '../../api/server-info.ts';
import { Dialog } from '../../design/components/index.ts';
import styles from './command-list.module.css';

/** Milliseconds after the first screen until the menu is loaded, so that it is there when it is wanted. */
const LOAD_DELAY = 1000;
const load = () => import('./command-list.tsx');
const CommandList = lazy(load);

/** ⌘K: a menu that jumps to any agent, task or page by some letters of its name. */
export function CommandMenu({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [search, setSearch] = useState('');
  const isUseful = useServerInfo().data !== undefined;
  useEffect(() => {
    if (!isUseful) return;
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_DELAY);
    return () => clearTimeout(timer);
  }, [isUseful]);
  const close = () => {
    setSearch('');
    onClose();
  };
  return (
    <Dialog title="Jump to…" isOpen={isOpen} onClose={close} bare>
      <div className={styles.menu}>
        <Suspense fallback={<EarlyInput search={search} onSearch={setSearch} />}>
          <CommandList search={search} onSearch={setSearch} onDone={close} />
        </Suspense>
      </div>
    </Dialog>
  );
}

interface EarlyInputProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Takes what is typed before the menu is loaded. */
function EarlyInput({ search, onSearch }: EarlyInputProps) {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just opened the menu
      autoFocus
      aria-label="Jump to…"
      className={styles.input}
      placeholder="Loading the menu…"
      value={search}
      onChange={({ target }) => onSearch(target.value)}
    />
  );
}
