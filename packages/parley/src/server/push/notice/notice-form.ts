import type { Dialect } from '../../../dialects/dialect.ts';
import type { PushEvents } from '../../../model/extensions/push.ts';

/** The form in which a webhook is told: that of the dialect its config was registered in. */
export interface NoticeForm {
  /** Forms with the same key have the same bodies. */
  readonly key: string;
  readonly dialect: Dialect;
  readonly events: PushEvents;
  readonly contentType: string;
  /** A status change is told by the whole task. */
  readonly hasTasks: boolean;
}

export function noticeFormOf(dialect: Dialect, events: PushEvents): NoticeForm {
  const { contentType, tellsTasks } = dialect.webhooks;
  return {
    key: `${dialect.name} ${events}`,
    dialect,
    events,
    contentType,
    hasTasks: tellsTasks && events === 'changes',
  };
}
