import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Badge, Bytes, formatDuration } from '../../design/components/index.ts';
import type { WireExchange } from '../record/exchange.ts';
import { outcomeOf, titleOf, wireMethodOf } from './describe-exchange.ts';
import styles from './traffic.module.css';

const ROW_HEIGHT = 56;

interface ExchangeListProps {
  readonly exchanges: readonly WireExchange[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

/** The requests, the latest first. Only those in sight are rendered. */
export function ExchangeList({ exchanges, chosen, onChoose }: ExchangeListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: exchanges.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  return (
    <div ref={scroller} className={styles.list}>
      <ul style={{ height: rows.getTotalSize() }} aria-label="Requests">
        {rows.getVirtualItems().map(({ index, start, size }) => {
          const exchange = exchanges[exchanges.length - 1 - index];
          if (!exchange) return null;
          return (
            <li key={exchange.id} style={{ height: size, transform: `translateY(${start}px)` }}>
              <Row exchange={exchange} isChosen={exchange.id === chosen} onChoose={onChoose} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly exchange: WireExchange;
  readonly isChosen: boolean;
  readonly onChoose: (id: number) => void;
}

function Row({ exchange, isChosen, onChoose }: RowProps) {
  const { id, time, isStream, frames, framesDropped, received, end } = exchange;
  const { text, tone } = outcomeOf(exchange);
  return (
    <button type="button" className={styles.row} aria-pressed={isChosen} onClick={() => onChoose(id)}>
      <span className={styles.rowHead}>
        <span className={styles.title}>{titleOf(exchange)}</span>
        <Badge tone={tone}>{text}</Badge>
      </span>
      <span className={styles.rowFoot}>
        <span className={styles.method}>{wireMethodOf(exchange)}</span>
        <span>{isStream ? `${frames.length + framesDropped} frames` : <Bytes count={received} />}</span>
        {end && <span>{formatDuration(end.time - time)}</span>}
      </span>
    </button>
  );
}
