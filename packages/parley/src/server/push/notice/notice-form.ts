import type { Dialect } from '../../../dialects/dialect.ts';
import type { DialectRegistry } from '../../../dialects/registry.ts';
import type { PushEvents } from '../../../model/extensions/push.ts';

/** The form in which a webhook is told: that of the dialect its config was registered in. */
export interface NoticeForm {
  /** Forms with the same key have the same bodies. */
  readonly key: string;
  readonly dialect: Dialect;
  readonly events: PushEvents;
  readonly contentType: string;
  /** A status change is told by the whole task (reference: mapping §8). */
  readonly hasTasks: boolean;
}

const OF_1_0 = 'v1_0';
const OF_0_3 = 'v0_3';

/** The forms of 0.3 over HTTP+JSON are spoken by webhooks as the one of JSON-RPC (reference: mapping §8). */
export function noticeFormOf(name: string, events: PushEvents, dialects: DialectRegistry): NoticeForm {
  const spoken = name.startsWith(`${OF_0_3}-`) ? OF_0_3 : name;
  // One of the server's own that it does not have any more.
  const dialect = dialects.all.find((one) => one.name === spoken) ?? dialects.named(OF_1_0);
  return {
    key: `${dialect.name} ${events}`,
    dialect,
    events,
    contentType: dialect.name === OF_1_0 ? 'application/a2a+json' : 'application/json',
    // Most receivers of 0.3 know nothing else.
    hasTasks: dialect.version === '0.3' && events === 'changes',
  };
}
