import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import type { WireExchange, WireFrame } from '../record/exchange.ts';
import { fieldsOf, pretty, shownText } from './describe-exchange.ts';
import styles from './traffic.module.css';

/** Characters of a frame that are shown. */
const SHOWN_CHARACTERS = 20_000;
const FRAME_HEIGHT = 64;
/** So near to the end, the list follows what comes. */
const NEAR_END = 80;

interface FrameListProps {
  readonly exchange: WireExchange;
  readonly isRaw: boolean;
  readonly secrets: SecretsShown;
}

/**
 * The frames of a stream as they come; only those in sight are rendered. A stream that is open is shown at its end unless the
 * person went up, one that is over from its beginning.
 */
export function FrameList({ exchange, isRaw, secrets }: FrameListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { frames, framesDropped, time, end } = exchange;
  const isAtEnd = useRef(end === undefined);
  const count = frames.length;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => FRAME_HEIGHT,
    getItemKey: (index) => index + framesDropped,
    overscan: 4,
  });
  useEffect(() => {
    if (isAtEnd.current && count > 0) rows.scrollToIndex(count - 1);
  }, [count, rows]);
  const noteScroll = () => {
    const box = scroller.current;
    if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section ref={scroller} className={styles.frames} onScroll={noteScroll} tabIndex={0} aria-label="Frames">
      <ol style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const frame = frames[index];
          return frame ? (
            <li key={key} data-index={index} ref={rows.measureElement} style={{ transform: `translateY(${start}px)` }}>
              <Frame frame={frame} began={time} isRaw={isRaw} secrets={secrets} />
            </li>
          ) : null;
        })}
      </ol>
    </section>
  );
}

interface FrameProps {
  readonly frame: WireFrame;
  readonly began: number;
  readonly isRaw: boolean;
  readonly secrets: SecretsShown;
}

function Frame({ frame, began, isRaw, secrets }: FrameProps) {
  const { id, event, data } = fieldsOf(frame);
  const text = shownText(isRaw ? frame.text : pretty(data === '' ? frame.text.trim() : data), secrets);
  return (
    <div className={styles.frame}>
      <div className={styles.frameHead}>
        <span>+{frame.time - began} ms</span>
        {id !== undefined && <span>position {id}</span>}
        {event !== undefined && <span>{event}</span>}
      </div>
      <pre>{text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}</pre>
    </div>
  );
}
