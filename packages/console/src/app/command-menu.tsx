import { lazy, Suspense } from 'react';
import { Dialog } from '../design/components/index.ts';

const CommandList = lazy(() => import('./command-list.tsx'));

/** ⌘K: a menu that jumps to any agent, task or page by some letters of its name. */
export function CommandMenu({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Jump to…" isOpen={isOpen} onClose={onClose} bare>
      <Suspense>
        <CommandList onDone={onClose} />
      </Suspense>
    </Dialog>
  );
}
