import { useEffect } from 'react';
import { useReachable } from '../api/connection-state.ts';
import { useServerInfo } from '../api/server-info.ts';
import { classes } from '../design/classes.ts';
import styles from './shell.module.css';

/** How often a server that cannot be reached is looked for. */
const LOOK_EVERY_MS = 2_000;

/** Whether the server can be reached; while it cannot, it is looked for. */
export function ConnectionState() {
  const isReachable = useReachable();
  const { reload } = useServerInfo();
  useEffect(() => {
    if (isReachable) return;
    const timer = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isReachable, reload]);
  const words = isReachable ? 'Connected' : 'Server not reached';
  return (
    <div className={classes(styles.connection, !isReachable && styles.lost)} role="status" title={words}>
      <span className={styles.dot} aria-hidden />
      <span className={isReachable ? styles.words : undefined}>{words}</span>
    </div>
  );
}
