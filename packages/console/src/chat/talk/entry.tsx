import { Bot, UserRound } from 'lucide-react';
import { isA2AError, type Message } from 'parley-a2a/client';
import { memo, useSyncExternalStore } from 'react';
import { Button, CopyButton, ErrorNote, LinkButton, StateBadge } from '../../design/components/index.ts';
import { PartView } from '../parts/part-view.tsx';
import { Questions } from '../questions/questions.tsx';
import { TextView } from '../text/text-view.tsx';
import type { ArtifactContent } from './artifact-content.ts';
import type { Conversation, Sending } from './conversation.ts';
import styles from './entry.module.css';
import type { TaskView } from './task-view.ts';

interface EntryProps {
  readonly view: TaskView;
  readonly conversation: Conversation;
  readonly isOwn: boolean;
  /** Where the person says who calls, for an agent that asks for it. */
  readonly settings: string;
  /** Its place in the conversation, from 1. */
  readonly number: number;
}

/** One exchange of the conversation: messages, artifacts, and how its task stands. */
export const Entry = memo(function Entry({ view, conversation, isOwn, settings, number }: EntryProps) {
  useSyncExternalStore(view.frames.subscribe, view.frames.version);
  const { items, status, activity } = view;
  const answer = (sending: Sending) => conversation.send(sending, view);
  const artifacts = items.filter((item) => item.kind === 'artifact');
  const isBesideOthers = artifacts.length > 1;
  return (
    <article className={styles.entry} aria-busy={view.isWorking}>
      <h2 className="visually-hidden">Exchange {number}</h2>
      {items.map((item) =>
        item.kind === 'message' ? <MessageView key={item.message.messageId} message={item.message} /> : null,
      )}
      {artifacts.length > 0 && (
        <div className={isBesideOthers ? styles.beside : undefined}>
          {artifacts.map(({ content }) => (
            <ArtifactView key={content.id} content={content} version={content.version} hasFrame={isBesideOthers} />
          ))}
        </div>
      )}
      {!view.isEnded &&
        status?.message !== undefined &&
        status.state !== 'input-required' &&
        status.state !== 'auth-required' && (
          <div className={styles.progress}>
            {status.message.parts.map((part, place) => (
              <PartView key={String(place)} part={part} />
            ))}
          </div>
        )}
      {view.isAsking && status !== undefined && <Questions status={status} onAnswer={answer} />}
      <footer className={styles.foot}>
        {status !== undefined && <StateBadge state={status.state} />}
        {activity.kind === 'sending' && <span>Sending…</span>}
        {activity.kind === 'reconnecting' && (
          <span role="status">The connection was lost. Trying again, attempt {activity.attempt}…</span>
        )}
        {view.id !== undefined && isOwn && (
          <LinkButton small kind="quiet" href={`/tasks/${encodeURIComponent(view.id)}`}>
            Task {view.id.slice(0, 8)}…{view.id.slice(-4)}
          </LinkButton>
        )}
        {view.isWorking && (
          <Button small kind="danger" onClick={() => conversation.stop(view)}>
            Stop
          </Button>
        )}
      </footer>
      {activity.kind === 'failed' && (
        <ErrorNote error={activity.error} onRetry={activity.retry}>
          {isRefused(activity.error) && <LinkButton href={settings}>Agent settings</LinkButton>}
        </ErrorNote>
      )}
    </article>
  );
});

const isRefused = (error: unknown) => isA2AError(error) && error.code === 'UNAUTHENTICATED';

const MessageView = memo(function MessageView({ message }: { readonly message: Message }) {
  const isUser = message.role === 'user';
  return (
    <div className={isUser ? styles.user : styles.agent}>
      <span className={styles.who}>
        {isUser ? <UserRound size={14} aria-hidden /> : <Bot size={14} aria-hidden />}
        {isUser ? 'You' : 'Agent'}
      </span>
      <div className={styles.parts}>
        {message.parts.map((part, place) => (
          <PartView key={String(place)} part={part} />
        ))}
      </div>
    </div>
  );
});

interface ArtifactViewProps {
  readonly content: ArtifactContent;
  /** Another one whenever the content changed. */
  readonly version: number;
  readonly hasFrame: boolean;
}

const ArtifactView = memo(function ArtifactView({ content, hasFrame }: ArtifactViewProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: neither a landmark nor a set of fields
    <div className={hasFrame ? styles.framed : styles.artifact} role="group" aria-label={content.name ?? 'Answer'}>
      <div className={styles.artifactHead}>
        <h3>{content.name ?? 'Answer'}</h3>
        {content.hasText && <CopyButton text={() => content.text()} label="text" />}
      </div>
      {content.description !== undefined && <p className={styles.description}>{content.description}</p>}
      <div className={styles.parts}>
        {content
          .view()
          .map((part, place) =>
            part.kind === 'text' ? (
              <TextView key={String(place)} view={part.view} />
            ) : (
              <PartView key={String(place)} part={part.part} />
            ),
          )}
      </div>
    </div>
  );
});
