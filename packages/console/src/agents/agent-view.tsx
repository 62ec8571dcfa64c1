import { MessageSquare, TriangleAlert } from 'lucide-react';
import { type AgentTarget, segmentOf, urlOf } from '../api/clients.ts';
import { Badge, Code, ErrorNote, LinkButton, Loading, Page, Tabs } from '../design/components/index.ts';
import styles from './card.module.css';
import { CardFacts } from './card-facts.tsx';
import { SignatureNote } from './signature-note.tsx';
import { SkillList } from './skill-list.tsx';
import { type CardReport, useCard } from './use-card.ts';

/** An agent: its card readable and raw, what is wrong with it, its skills with forms to try them. */
export function AgentView({ target, name }: { readonly target: AgentTarget; readonly name: string }) {
  const { data, error, isLoading, reload } = useCard(target);
  return (
    <Page
      title={data?.card.name ?? name}
      lead={data?.card.description}
      actions={
        data && (
          <LinkButton kind="primary" href={`/talk/${segmentOf(target)}`}>
            <MessageSquare size={16} aria-hidden /> Talk
          </LinkButton>
        )
      }
    >
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && isLoading && <Loading what="the card" />}
      {data !== undefined && <Report target={target} report={data} />}
    </Page>
  );
}

function Report({ target, report }: { readonly target: AgentTarget; readonly report: CardReport }) {
  const { card, problems, published } = report;
  return (
    <>
      <div className={styles.line}>
        {card.version !== '' && <Badge>version {card.version}</Badge>}
        {problems.length === 0 ? (
          <Badge tone="good">valid card</Badge>
        ) : (
          <Badge tone="warn">
            {problems.length} {problems.length === 1 ? 'problem' : 'problems'}
          </Badge>
        )}
        <SignatureNote target={target} published={published} />
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label="Problems of the card">
          {problems.map((problem) => (
            <li key={problem}>
              <TriangleAlert size={16} aria-hidden /> {problem}
            </li>
          ))}
        </ul>
      )}
      <Tabs
        label="The agent"
        tabs={[
          { id: 'skills', label: `Skills (${card.skills.length})`, content: <SkillList target={target} card={card} /> },
          { id: 'card', label: 'Card', content: <CardFacts card={card} url={urlOf(target)} /> },
          {
            id: 'raw',
            label: 'Raw',
            content: <Code text={JSON.stringify(published, null, 2)} label="Card as published" wrap />,
          },
        ]}
      />
    </>
  );
}
