import { isA2AError } from 'parley-a2a/client';
import { useState } from 'react';
import { type AgentTarget, clientFor, urlOf } from '../../api/clients.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge, Button, EmptyState, ErrorNote, Loading, Panel, SelectField } from '../../design/components/index.ts';
import { AgentPicker, completeTarget, targetFrom } from '../agent-picker.tsx';
import { VARIANTS } from '../compare/variants.ts';
import { useAgentSettings, useExchanges } from '../record/use-wire.ts';
import styles from '../tools.module.css';
import { changeAgentSettings } from './agent-settings.ts';
import { HeaderEditor } from './header-editor.tsx';
import { SchemeForm } from './scheme-form.tsx';
import { alternativesOf, alternativeWords, schemeWords } from './security-words.ts';

/** How this page talks to an agent: its dialect, its headers, and who it says that you are. */
export function AccessView({ agent }: { readonly agent: string | undefined }) {
  const [picked, pick] = useState<AgentTarget | undefined>(() => targetFrom(agent));
  const target = completeTarget(picked);
  return (
    <div className={styles.tool}>
      <AgentPicker value={picked} onChange={pick} />
      {target ? (
        <Settings key={urlOf(target)} target={target} />
      ) : (
        <EmptyState title="No agent chosen">
          <p>Choose the agent whose dialect, headers or credentials you want to set.</p>
        </EmptyState>
      )}
    </div>
  );
}

function Settings({ target }: { readonly target: AgentTarget }) {
  const url = urlOf(target);
  const { protocol, binding, headers = {} } = useAgentSettings(url);
  const chosen = VARIANTS.find((variant) => variant.protocol === protocol && variant.binding === binding);
  return (
    <>
      <Panel title="Dialect and binding">
        <SelectField
          label="This page speaks"
          value={chosen?.id ?? ''}
          onChange={({ target: { value } }) => {
            const variant = VARIANTS.find(({ id }) => id === value);
            changeAgentSettings(url, { protocol: variant?.protocol, binding: variant?.binding });
          }}
        >
          <option value="">what the agent prefers</option>
          {VARIANTS.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      </Panel>
      <Panel title="Headers">
        <HeaderEditor headers={headers} onChange={(changed) => changeAgentSettings(url, { headers: changed })} />
      </Panel>
      <Panel title="What the card asks for">
        <Security target={target} />
      </Panel>
    </>
  );
}

/** The alternatives of the card in words, a form for each scheme, and a request that tells whether it is enough. */
function Security({ target }: { readonly target: AgentTarget }) {
  const url = urlOf(target);
  const { protocol = '', binding = '' } = useAgentSettings(url);
  const card = useQuery(`card ${url} ${protocol} ${binding}`, (signal) => clientFor(target).agentCard({ signal }));
  if (card.error !== undefined && !isUnauthenticated(card.error)) {
    return <ErrorNote error={card.error} onRetry={card.reload} />;
  }
  if (card.error !== undefined) return <GuardedCard target={target} error={card.error} onGiven={card.reload} />;
  if (!card.data) return <Loading what="the card" />;
  const schemes = Object.entries(card.data.securitySchemes ?? {});
  const alternatives = alternativesOf(card.data);
  return (
    <div className={styles.form}>
      <LastRefusal url={url} />
      {alternatives.length === 0 ? (
        <p>The card asks for no credentials. Where the agent refuses you all the same, set a header.</p>
      ) : (
        <>
          <p>Any one of these is enough:</p>
          <ul>
            {alternatives.map((alternative) => (
              <li key={alternativeWords(alternative)}>{alternativeWords(alternative)}</li>
            ))}
          </ul>
        </>
      )}
      {schemes.length > 0 && <Secrecy />}
      <ul className={styles.schemes}>
        {schemes.map(([name, scheme]) => (
          <li key={name} className={styles.form}>
            <h3>{name}</h3>
            <p>{schemeWords(scheme)}</p>
            {scheme.description !== undefined && <p className={styles.note}>{scheme.description}</p>}
            <SchemeForm target={target} name={name} scheme={scheme} />
          </li>
        ))}
      </ul>
      <Trial target={target} />
    </div>
  );
}

/** A card that is shown only to those who are known: it can say nothing of what it asks for. */
function GuardedCard({ target, error, onGiven }: GuardedCardProps) {
  return (
    <div className={styles.form}>
      <ErrorNote error={error} onRetry={onGiven} />
      <p>The card itself is guarded. Most agents of this kind take a token, sent as Authorization: Bearer.</p>
      <Secrecy />
      <SchemeForm target={target} name="" scheme={{ type: 'http', scheme: 'Bearer' }} onGiven={onGiven} />
    </div>
  );
}

interface GuardedCardProps {
  readonly target: AgentTarget;
  readonly error: unknown;
  readonly onGiven: () => void;
}

function isUnauthenticated(error: unknown): boolean {
  return isA2AError(error) && error.code === 'UNAUTHENTICATED';
}

function Secrecy() {
  return (
    <p className={styles.note}>
      What you give stays in the memory of this page. It is not stored, and gone when you close the page or load it
      anew.
    </p>
  );
}

/** The words of the latest 401 or 403 of this agent. */
function LastRefusal({ url }: { readonly url: string }) {
  const refused = useExchanges().findLast(({ target, response }) => target?.url === url && isRefusal(response?.status));
  if (!refused?.response) return null;
  const challenge = refused.response.headers.find(([name]) => name === 'www-authenticate')?.[1];
  return (
    <p className={styles.problem}>
      The agent refused a request with {refused.response.status}.
      {challenge === undefined ? '' : ` It asks: ${challenge}`}
    </p>
  );
}

function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

type TrialState = { readonly isIn: boolean } | { readonly error: unknown };

/** No agent has this task: one that says so has let the caller in. */
const PROBE = 'parley-console-probe';

function Trial({ target }: { readonly target: AgentTarget }) {
  const [state, setState] = useState<TrialState>();
  const attempt = async () => {
    try {
      await clientFor(target).getTask(PROBE);
      setState({ isIn: true });
    } catch (error) {
      setState(isA2AError(error) && error.code === 'TASK_NOT_FOUND' ? { isIn: true } : { error });
    }
  };
  return (
    <div className={styles.actions}>
      <Button onClick={() => void attempt()}>Try it</Button>
      {state && 'isIn' in state && (
        <span role="status">
          <Badge tone="good">let in</Badge>
        </span>
      )}
      {state && 'error' in state && <ErrorNote error={state.error} />}
    </div>
  );
}
