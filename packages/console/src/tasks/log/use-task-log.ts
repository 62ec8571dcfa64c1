import { useMemo, useSyncExternalStore } from 'react';
import type { LogPage } from '../../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../../api/operator.ts';
import { isOperatorError } from '../../api/operator-error.ts';
import { pauseWhileVisible } from '../pause.ts';
import { LogLoader, type LogView } from './log-loader.ts';

const PAGE_SIZE = 1000;
/** Between two looks at a task that goes on. */
const REFRESH_MS = 1000;

/** The log of a task, which grows while it is read and while the task goes on. */
export function useTaskLog(id: string): LogView & { readonly reload: () => void } {
  const loader = useMemo(
    () =>
      new LogLoader({
        read: (after, signal) =>
          getOperator<LogPage>(`tasks/${encodeURIComponent(id)}/events`, { after, limit: PAGE_SIZE }, signal),
        pause: (signal) => pauseWhileVisible(REFRESH_MS, signal),
        isFinal: (error) => isOperatorError(error) && error.status < 500 && error.status !== 429,
      }),
    [id],
  );
  const view = useSyncExternalStore(loader.subscribe, loader.view);
  return { ...view, reload: loader.start };
}
