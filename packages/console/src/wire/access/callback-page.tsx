import { useEffect, useState } from 'react';
import { EmptyState, Loading, usePageTitle } from '../../design/components/index.ts';
import styles from '../tools.module.css';
import { handOver } from './callback.ts';

// The code in the address works once, and is for the window that waits: neither the history nor a reload has it again.
const search = location.search;
history.replaceState(null, '', location.pathname);

/** Where authorization servers send people back to. It has no navigation: it is a window to be closed. */
export default function CallbackPage() {
  usePageTitle('Log in');
  const [isTaken, setTaken] = useState<boolean>();
  useEffect(() => {
    let isCurrent = true;
    void handOver(search).then((taken) => isCurrent && setTaken(taken));
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <main className={styles.callback}>
      <h1>Log in</h1>
      {isTaken === undefined && <Loading what="the answer" />}
      {isTaken === true && (
        <EmptyState title="Back to the console">
          <p>Your answer has arrived there. You may close this window.</p>
        </EmptyState>
      )}
      {isTaken === false && (
        <EmptyState title="Nobody waits for this answer">
          <p>The window that asked for it was closed or loaded anew. Begin the login there again.</p>
        </EmptyState>
      )}
    </main>
  );
}
