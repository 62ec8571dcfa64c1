import type { AgentCard, SecurityScheme } from 'parley-a2a/client';
import type { ReactNode } from 'react';
import { SafeLink } from '../chat/text/safe-link.tsx';
import { Badge, Code, CopyButton, Panel } from '../design/components/index.ts';
import styles from './card.module.css';

/** The card in words: where the agent is called, what it can do, what it takes, and who may call it. */
export function CardFacts({ card, url }: { readonly card: AgentCard; readonly url: string }) {
  const { capabilities } = card;
  return (
    <div className={styles.facts}>
      <Panel title="Interfaces">
        <ul className={styles.rows}>
          {card.interfaces.map((found) => (
            <li key={`${found.url} ${found.protocolBinding} ${found.protocolVersion}`} className={styles.line}>
              <Badge tone="active">
                {found.protocolBinding} {found.protocolVersion}
              </Badge>
              <code>{found.url}</code>
              <CopyButton text={found.url} label="address" />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Capabilities">
        <dl className={styles.pairs}>
          <Fact name="Streaming">{yesNo(capabilities.streaming)}</Fact>
          <Fact name="Push notifications">{yesNo(capabilities.pushNotifications)}</Fact>
          <Fact name="Extended card">{yesNo(capabilities.extendedAgentCard)}</Fact>
          <Fact name="Takes">{card.defaultInputModes.join(', ') || 'not said'}</Fact>
          <Fact name="Gives">{card.defaultOutputModes.join(', ') || 'not said'}</Fact>
          <Fact name="Card found at">
            <code>{url}</code>
          </Fact>
          {card.provider !== undefined && (
            <Fact name="Provider">
              <bdi>{card.provider.organization}</bdi> <SafeLink href={card.provider.url}>{card.provider.url}</SafeLink>
            </Fact>
          )}
          {card.documentationUrl !== undefined && (
            <Fact name="Documentation">
              <SafeLink href={card.documentationUrl}>{card.documentationUrl}</SafeLink>
            </Fact>
          )}
        </dl>
      </Panel>
      {capabilities.extensions.length > 0 && (
        <Panel title="Extensions">
          <ul className={styles.rows}>
            {capabilities.extensions.map(({ uri, description, required, params }) => (
              <li key={uri}>
                <div className={styles.line}>
                  <code>{uri}</code> {required === true && <Badge tone="warn">required</Badge>}
                </div>
                {description !== undefined && <p className={styles.muted}>{description}</p>}
                {params !== undefined && (
                  <details>
                    <summary>Parameters</summary>
                    <Code text={JSON.stringify(params, null, 2)} label={`Parameters of ${uri}`} wrap />
                  </details>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Security">
        <Security card={card} />
      </Panel>
    </div>
  );
}

function Security({ card }: { readonly card: AgentCard }) {
  const schemes = Object.entries(card.securitySchemes ?? {});
  if (schemes.length === 0) return <p>The card asks for no credentials.</p>;
  return (
    <dl className={styles.pairs}>
      {schemes.map(([name, scheme]) => (
        <Fact key={name} name={name}>
          {describeScheme(scheme)}
          {scheme.description !== undefined && <span className={styles.muted}> {scheme.description}</span>}
        </Fact>
      ))}
      <Fact name="Needed">
        {(card.security ?? []).map((needed) => Object.keys(needed).join(' and ') || 'nothing').join(', or ') ||
          'nothing, unless a skill asks for it'}
      </Fact>
    </dl>
  );
}

function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `An API key in the ${scheme.in} ${scheme.name}.`;
    case 'http':
      return `HTTP ${scheme.scheme}${scheme.bearerFormat === undefined ? '' : ` (${scheme.bearerFormat})`}.`;
    case 'oauth2':
      return `OAuth 2: ${Object.keys(scheme.flows).join(', ')}.`;
    case 'openIdConnect':
      return `OpenID Connect at ${scheme.openIdConnectUrl}.`;
    case 'mutualTLS':
      return 'A certificate of the client.';
  }
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no');
