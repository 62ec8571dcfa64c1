import { Cable, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton, LinkButton, Loading } from '../design/components/index.ts';
import styles from './wire-drawer.module.css';

const TrafficView = lazy(() =>
  import('./traffic/traffic-view.tsx').then((module) => ({ default: module.TrafficView })),
);

/** The wire over any page: a button, and the drawer that it opens. The page below stays in use. */
export function WireDrawer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={isOpen ? 'Close the wire' : 'Open the wire'}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Cable size={18} aria-hidden />
      </IconButton>
      {/* Outside of the bar, so that it stands over the navigation of phones, too. */}
      {isOpen && createPortal(<Drawer onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <aside
      className={styles.drawer}
      aria-label="Wire"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.head}>
        <h2>Wire</h2>
        <LinkButton small href="/wire">
          Open as a page
        </LinkButton>
        <IconButton label="Close the drawer" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.body}>
        <Suspense fallback={<Loading what="the wire" />}>
          <TrafficView />
        </Suspense>
      </div>
    </aside>
  );
}
