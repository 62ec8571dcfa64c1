import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { Button, EmptyState, SelectField, TextField } from '../../design/components/index.ts';
import type { WireExchange } from '../record/exchange.ts';
import { useConnected, useExchanges } from '../record/use-wire.ts';
import { line, wireLog } from '../record/wire.ts';
import { titleOf } from './describe-exchange.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { ExchangeList } from './exchange-list.tsx';
import { ResumeReport } from './resume-report.tsx';
import styles from './traffic.module.css';

type Shown = 'agents' | 'all';

/** Every request of this page, and the one that is chosen in full. */
export function TrafficView() {
  const all = useExchanges();
  const [shown, setShown] = useState<Shown>('agents');
  const [filter, setFilter] = useState('');
  const [chosenId, choose] = useState<number>();
  const listed = all.filter((exchange) => isShown(exchange, shown, filter));
  const chosen = chosenId === undefined ? undefined : wireLog.find(chosenId);
  return (
    <div className={styles.traffic}>
      <div className={styles.tools}>
        <SelectField
          label="Requests"
          hideLabel
          value={shown}
          onChange={(event) => setShown(event.target.value === 'all' ? 'all' : 'agents')}
        >
          <option value="agents">To agents</option>
          <option value="all">All of this page</option>
        </SelectField>
        <TextField
          label="Filter"
          hideLabel
          type="search"
          placeholder="Filter by address or operation"
          className={styles.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <LineButton />
        <Button onClick={() => wireLog.clear()}>Clear</Button>
      </div>
      <ResumeReport exchanges={all} />
      {wireLog.dropped > 0 && <p className={styles.note}>{wireLog.dropped} older requests are no longer kept.</p>}
      {listed.length === 0 ? (
        <EmptyState title="No requests yet">
          <p>Open an agent and send it a message: everything that goes over the wire is shown here.</p>
        </EmptyState>
      ) : (
        <div className={chosen ? styles.both : styles.one}>
          <ExchangeList exchanges={listed} chosen={chosen?.id} onChoose={choose} />
          {chosen && <ExchangeDetail key={chosen.id} exchange={chosen} all={all} onClose={() => choose(undefined)} />}
        </div>
      )}
    </div>
  );
}

/** Cuts the connection to agents, and heals it. */
function LineButton() {
  const isConnected = useConnected();
  return (
    <Button
      kind={isConnected ? 'plain' : 'primary'}
      title="Cuts every stream of this page as a lost network would, to see how they are resumed"
      onClick={() => (isConnected ? line.disconnect() : line.connect())}
    >
      <Unplug size={15} aria-hidden />
      {isConnected ? 'Disconnect' : 'Reconnect'}
    </Button>
  );
}

function isShown(exchange: WireExchange, shown: Shown, filter: string): boolean {
  if (shown === 'agents' && !exchange.target) return false;
  const words = filter.trim().toLowerCase();
  return words === '' || `${exchange.request.url} ${titleOf(exchange)}`.toLowerCase().includes(words);
}
