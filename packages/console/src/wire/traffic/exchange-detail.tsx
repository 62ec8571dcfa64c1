import { X } from 'lucide-react';
import { useState } from 'react';
import { maskedHeader, maskedUrl, type SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import { Button, Code, IconButton, Tabs } from '../../design/components/index.ts';
import { secretValues } from '../access/agent-settings.ts';
import type { WireExchange } from '../record/exchange.ts';
import { CopyMenu } from './copy-menu.tsx';
import { pretty, shownText, titleOf } from './describe-exchange.ts';
import { FrameList } from './frame-list.tsx';
import styles from './traffic.module.css';

/** Characters of a body that are shown before a button shows the rest. */
const SHOWN_CHARACTERS = 100_000;

interface ExchangeDetailProps {
  readonly exchange: WireExchange;
  readonly all: readonly WireExchange[];
  readonly onClose: () => void;
}

/** One request and its response, as they were sent. */
export function ExchangeDetail({ exchange, all, onClose }: ExchangeDetailProps) {
  const [isRaw, setRaw] = useState(false);
  const [reveal, setReveal] = useState(false);
  const secrets: SecretsShown = { reveal, values: secretValues(exchange.target?.url) };
  const { request, response, end, isStream, framesDropped } = exchange;
  return (
    <section className={styles.detail} aria-label={`Request ${titleOf(exchange)}`}>
      <div className={styles.detailHead}>
        <h2>{titleOf(exchange)}</h2>
        <label className={styles.choice}>
          <input type="checkbox" checked={isRaw} onChange={(event) => setRaw(event.target.checked)} /> As sent
        </label>
        <label className={styles.choice}>
          <input type="checkbox" checked={reveal} onChange={(event) => setReveal(event.target.checked)} /> Show secrets
        </label>
        <IconButton label="Close the request" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <p className={styles.address}>
        <strong>{request.method}</strong> {maskedUrl(request.url, secrets)}
      </p>
      <CopyMenu exchange={exchange} all={all} secrets={secrets} />
      <Tabs
        label="Parts of the request"
        tabs={[
          {
            id: 'response',
            label: isStream ? 'Frames' : 'Response',
            content: (
              <>
                {end?.error !== undefined && <p className={styles.failure}>{end.error}</p>}
                {framesDropped > 0 && (
                  <p className={styles.note}>The first {framesDropped} frames are no longer kept.</p>
                )}
                {isStream ? (
                  <FrameList exchange={exchange} isRaw={isRaw} secrets={secrets} />
                ) : (
                  <Body text={exchange.body} leftOut={exchange.bodyLeftOut} isRaw={isRaw} secrets={secrets} />
                )}
              </>
            ),
          },
          {
            id: 'request',
            label: 'Request',
            content: <Body text={request.body ?? ''} leftOut={0} isRaw={isRaw} secrets={secrets} />,
          },
          {
            id: 'headers',
            label: 'Headers',
            content: (
              <>
                <Headers title="Sent" headers={request.headers} secrets={secrets} />
                <Headers
                  title={`Received, ${response?.status ?? 'no response yet'}`}
                  headers={response?.headers ?? []}
                  secrets={secrets}
                />
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

interface BodyProps {
  readonly text: string;
  readonly leftOut: number;
  readonly isRaw: boolean;
  readonly secrets: SecretsShown;
}

function Body({ text, leftOut, isRaw, secrets }: BodyProps) {
  const [isWhole, setWhole] = useState(false);
  if (text === '') return <p className={styles.note}>There is no body.</p>;
  const masked = shownText(isRaw ? text : pretty(text), secrets);
  const isCut = !isWhole && masked.length > SHOWN_CHARACTERS;
  return (
    <>
      <Code text={isCut ? masked.slice(0, SHOWN_CHARACTERS) : masked} label="the body" wrap />
      {isCut && (
        <Button small kind="quiet" onClick={() => setWhole(true)}>
          {masked.length - SHOWN_CHARACTERS} more characters
        </Button>
      )}
      {leftOut > 0 && <p className={styles.note}>{leftOut} more characters came and are not kept.</p>}
    </>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly secrets: SecretsShown;
}

function Headers({ title, headers, secrets }: HeadersProps) {
  return (
    <>
      <h3 className={styles.subtitle}>{title}</h3>
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{maskedHeader(name, value, secrets)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
