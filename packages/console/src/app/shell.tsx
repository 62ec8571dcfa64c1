import { MessagesSquare, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { WireDrawer } from '../wire/wire-drawer.tsx';
import { AccessGate } from './access-gate.tsx';
import { CommandMenu } from './commands/command-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import styles from './shell.module.css';
import { SideNavigation } from './side-navigation.tsx';
import { SignOut } from './sign-out.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const JUMP_KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

/** What stands around every page: the bar with the jump menu, the navigation, and the gate where the server asks who calls. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [isJumping, setJumping] = useState(false);
  const main = useRef<HTMLElement>(null);
  useJumpKey(() => setJumping((open) => !open));
  useFocusOnNavigation(main);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Link href="/" className={styles.brand}>
          <MessagesSquare size={20} aria-hidden />
          <span>Parley</span>
        </Link>
        <button type="button" className={styles.jump} onClick={() => setJumping(true)}>
          <Search size={15} aria-hidden />
          <span>Jump to an agent, a task, a page</span>
          <kbd aria-hidden>{JUMP_KEYS}</kbd>
        </button>
        <ConnectionState />
        <WireDrawer />
        <ThemeSwitch />
        <SignOut />
      </header>
      <SideNavigation />
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        <AccessGate>{children}</AccessGate>
      </main>
      <CommandMenu isOpen={isJumping} onClose={() => setJumping(false)} />
    </div>
  );
}

function useJumpKey(jump: () => void): void {
  const latest = useRef(jump);
  latest.current = jump;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** After a change of the page the keyboard goes on at its content, unless that took the focus itself. */
function useFocusOnNavigation(main: { readonly current: HTMLElement | null }): void {
  const [location] = useLocation();
  const last = useRef(location);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    if (main.current?.contains(document.activeElement) !== true) main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [location, main]);
}
