import { textOf } from '../../model/parts.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { PushNotification } from '../../push/verify/notification.ts';
import type { PushError } from '../../push/verify/push-error.ts';
import type { Screen } from '../show/screen.ts';
import { cleanLine } from '../text/clean.ts';
import { truncated } from '../text/width.ts';

/** The known facts about a notification beside its content. */
interface Circumstances {
  /** It came before. */
  readonly isAgain: boolean;
  readonly isVerified: boolean;
}

/** Longer texts are cut where the width of a terminal is unknown. */
const LONGEST_LINE = 400;

/** Prints notifications: a line for a person, an object with `--json`. */
export class NotificationLines {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(notification: PushNotification, { isAgain, isVerified }: Circumstances): void {
    const { id, taskId, seq, timestamp, dialect, event } = notification;
    const screen = this.#screen;
    if (screen.json) {
      const { id: _, ...rest } = notification;
      screen.object({ ...(id !== '' && { id }), ...rest, verified: isVerified, again: isAgain });
      return;
    }
    const { style } = screen;
    const time = new Date(timestamp * 1000).toISOString().slice(11, 19);
    const head = [time, cleanLine(taskId) || '(no task)', seq === undefined ? '-' : `#${seq}`, kindOf(event)];
    const marks = [...(isAgain ? ['again'] : []), ...(dialect === '1.0' ? [] : [dialect])];
    const text = cleanLine(contentOf(event));
    const columns = screen.isShown ? screen.columns : LONGEST_LINE;
    const line = truncated([...head, ...marks, ...(text === '' ? [] : [text])].join('  '), columns);
    screen.write(`${isAgain ? style.apply(line, 'dim') : line}\n`);
  }

  refused({ code, message, status }: PushError): void {
    const screen = this.#screen;
    if (screen.json) screen.object({ refused: { status, code, message } });
    else screen.note(screen.noteStyle.apply(`refused with ${status}: ${cleanLine(message)} (${code})`, 'red'));
  }
}

function kindOf(event: StreamEvent): string {
  switch (event.kind) {
    case 'status':
      return event.status.state;
    case 'task':
      return `task ${event.task.status.state}`;
    case 'artifact':
      return event.append ? 'artifact +' : 'artifact';
    case 'message':
      return 'message';
  }
}

function contentOf(event: StreamEvent): string {
  switch (event.kind) {
    case 'status':
      return event.status.message ? textOf(event.status.message) : '';
    case 'task':
      return textOf(event.task);
    case 'artifact':
      return [event.artifact.name ?? '', textOf(event.artifact)].filter((text) => text !== '').join(': ');
    case 'message':
      return textOf(event.message);
  }
}
