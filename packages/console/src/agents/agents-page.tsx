import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type AgentInfo, useServerInfo } from '../api/server-info.ts';
import { Badge, EmptyState, ErrorNote, LinkButton, Loading, Page, TextField } from '../design/components/index.ts';
import styles from './card.module.css';
import { OutsideForm } from './outside-form.tsx';

/** The agents of this server, and the way to any other. */
export function AgentsPage() {
  const { data, error, reload } = useServerInfo();
  const [search, setSearch] = useState('');
  const agents = data?.agents.filter((agent) => matches(agent, search)) ?? [];
  return (
    <Page
      title="Agents"
      lead={data && `${data.agents.length} on this server, version ${data.version}, store ${data.store.kind}`}
    >
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the agents" />}
      {data !== undefined && (
        <>
          <div className={styles.tools}>
            <TextField
              label="Search"
              type="search"
              placeholder="A name, or what it does"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {data.features.relay !== undefined && <OutsideForm />}
          </div>
          {agents.length === 0 ? (
            <EmptyState title={data.agents.length === 0 ? 'This server has no agents' : 'No agent is like that'}>
              <p>
                {data.agents.length === 0
                  ? 'Give it some: new A2AServer({ agents: [defineAgent({ … })] }).'
                  : 'Search for another word.'}
              </p>
            </EmptyState>
          ) : (
            <ul className={styles.grid}>
              {agents.map((agent) => (
                <li key={agent.name}>
                  <AgentTile agent={agent} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Page>
  );
}

function AgentTile({ agent }: { readonly agent: AgentInfo }) {
  const segment = encodeURIComponent(agent.name);
  return (
    <article className={styles.agent}>
      <h2>
        <Link href={`/agents/${segment}`}>{agent.name}</Link>
      </h2>
      <p>{agent.description || 'It says nothing of itself.'}</p>
      <div className={styles.line}>
        {agent.version !== '' && <Badge>{agent.version}</Badge>}
        {agent.isDefault && <Badge tone="active">default</Badge>}
        {agent.isResumable && <Badge tone="good">resumable</Badge>}
      </div>
      <div className={styles.line}>
        <LinkButton href={`/talk/${segment}`} kind="primary" label={`Talk to ${agent.name}`}>
          <MessageSquare size={15} aria-hidden /> Talk
        </LinkButton>
        <LinkButton href={`/agents/${segment}`} label={`Card and skills of ${agent.name}`}>
          Card and skills
        </LinkButton>
      </div>
    </article>
  );
}

function matches({ name, description }: AgentInfo, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
