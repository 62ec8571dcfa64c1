import { ArrowDown } from 'lucide-react';
import type { Part } from 'parley-a2a/client';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { clientFor, segmentOf, targetOf } from '../api/clients.ts';
import { Button, EmptyState, ErrorNote, LinkButton, Loading, usePageTitle } from '../design/components/index.ts';
import { blockedReason } from './questions/blocked.ts';
import { Composer } from './talk/composer.tsx';
import { Conversation } from './talk/conversation.ts';
import { currentDraft, forgetDraft } from './talk/draft.ts';
import { Entry } from './talk/entry.tsx';
import { keepUnsent, readUnsent } from './talk/unsent-text.ts';
import { useDroppedFiles } from './talk/use-dropped-files.ts';
import { useStickToEnd } from './talk/use-stick-to-end.ts';
import styles from './talk-page.module.css';

/** A conversation with one agent. With another one it begins anew: nothing that was written for the one goes to the other. */
export default function TalkPage({ agent }: { readonly agent: string }) {
  return <TalkWith key={agent} agent={agent} />;
}

function TalkWith({ agent }: { readonly agent: string }) {
  const target = useMemo(() => targetOf(agent), [agent]);
  const [search] = useSearchParams();
  const place = { taskId: search.get('task') ?? undefined, contextId: search.get('context') ?? undefined };
  const [round, setRound] = useState(0);
  const name = target.kind === 'own' ? target.name : new URL(target.url).host;
  usePageTitle(`Talk to ${name}`);
  const startAnew = useCallback(() => setRound((number) => number + 1), []);
  return <Talk key={round} target={target} name={name} place={round === 0 ? place : {}} onNew={startAnew} />;
}

interface TalkProps {
  readonly target: ReturnType<typeof targetOf>;
  readonly name: string;
  readonly place: { readonly taskId?: string | undefined; readonly contextId?: string | undefined };
  readonly onNew: () => void;
}

function Talk({ target, name, place, onNew }: TalkProps) {
  const { conversation, opening, reopen } = useConversation(target, place);
  const views = useSyncExternalStore(conversation.subscribe, conversation.views);
  const last = views.at(-1);
  useSyncExternalStore(last?.frames.subscribe ?? neverChanges, last?.frames.version ?? zero);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const { isAtEnd, toEnd } = useStickToEnd(list);
  const attachments = useDroppedFiles();
  const [, navigate] = useLocation();
  const { skill, setSkill, text } = useDraft(conversation);
  const agent = segmentOf(target);
  const [unsent] = useState(() => readUnsent(agent));
  const isWorking = last?.isWorking ?? false;
  const isAsking = last?.isAsking ?? false;
  const stop = () => last && conversation.stop(last);
  useEscape(isWorking, stop);
  useFocus(input, isAsking);
  const send = (parts: readonly Part[]) => {
    attachments.clear();
    conversation.send({ parts, skill }, isAsking || isWorking ? last : undefined);
    toEnd();
  };
  return (
    <div className={styles.page} data-dropping={attachments.isOver || undefined}>
      <div className={styles.head}>
        <h1>
          Talk to{' '}
          {target.kind === 'own' ? (
            <Link href={`/agents/${segmentOf(target)}`}>{name}</Link>
          ) : (
            <Link href={`/outside?url=${encodeURIComponent(target.url)}`}>{name}</Link>
          )}
        </h1>
        {views.length > 0 && (
          <Button
            onClick={() => {
              navigate(`/talk/${segmentOf(target)}`);
              onNew();
            }}
          >
            New conversation
          </Button>
        )}
      </div>
      <div className={styles.list} ref={list} role="log" aria-label="Conversation">
        {opening.kind === 'loading' && <Loading what="the conversation" />}
        {opening.kind === 'failed' && (
          <ErrorNote error={opening.error} onRetry={reopen}>
            <LinkButton href="/tasks">See the tasks</LinkButton>
          </ErrorNote>
        )}
        {conversation.omitted > 0 && <p>{conversation.omitted} older tasks of this conversation are not shown.</p>}
        {opening.kind === 'ready' && views.length === 0 && (
          <EmptyState title={`Say something to ${name}`}>
            <p>
              Write below, or drop files anywhere on this page. Enter sends, Shift+Enter begins a new line, Esc stops.
            </p>
          </EmptyState>
        )}
        {views.map((view, number) => (
          <Entry
            key={String(number)}
            number={number + 1}
            view={view}
            conversation={conversation}
            isOwn={target.kind === 'own'}
            settings={`/wire?view=access&agent=${segmentOf(target)}`}
          />
        ))}
      </div>
      <div className={styles.dock}>
        {!isAtEnd && (
          <Button small className={styles.down} onClick={toEnd}>
            <ArrowDown size={14} aria-hidden /> To the end
          </Button>
        )}
        {skill !== undefined && (
          <div className={styles.skill}>
            For the skill <code>{skill}</code>
            <Button small kind="quiet" onClick={() => setSkill(undefined)}>
              Any skill
            </Button>
          </div>
        )}
        <Composer
          input={input}
          initial={text ?? unsent}
          onWrite={(written) => keepUnsent(agent, written)}
          placeholder={
            isAsking ? 'Answer the agent' : isWorking ? 'Tell the agent more while it works' : `Message ${name}`
          }
          blocked={isAsking ? blockedReason(last?.status) : undefined}
          isWorking={isWorking}
          files={attachments.files}
          problem={attachments.problem}
          onFiles={attachments.add}
          onRemoveFile={attachments.remove}
          onSend={send}
          onStop={stop}
        />
      </div>
    </div>
  );
}

/** What another page wants this conversation to begin with: a skill, words for the field, or parts to send at once. */
function useDraft(conversation: Conversation) {
  const [draft] = useState(currentDraft);
  const [skill, setSkill] = useState(draft?.skill);
  const sent = useRef(false);
  useEffect(() => {
    forgetDraft();
    if (draft?.send === undefined || sent.current) return;
    sent.current = true;
    conversation.send({ parts: draft.send, skill: draft.skill });
  }, [conversation, draft]);
  return { skill, setSkill, text: draft?.text };
}

const neverChanges = () => () => {};
const zero = () => 0;

type Opening = { readonly kind: 'loading' | 'ready' } | { readonly kind: 'failed'; readonly error: unknown };

/** The conversation of the page, opened where the address says; the address follows it. */
function useConversation(target: TalkProps['target'], place: TalkProps['place']) {
  const [, navigate] = useLocation();
  const first = useRef(place);
  const [attempt, setAttempt] = useState(0);
  const [opening, setOpening] = useState<Opening>({ kind: 'ready' });
  const conversation = useMemo(() => {
    void attempt;
    return new Conversation(clientFor(target), ({ taskId, contextId }) => {
      const query = new URLSearchParams();
      if (contextId !== undefined) query.set('context', contextId);
      if (taskId !== undefined) query.set('task', taskId);
      navigate(`/talk/${segmentOf(target)}${query.size > 0 ? `?${query}` : ''}`, { replace: true });
    });
  }, [target, attempt, navigate]);
  useEffect(() => {
    conversation.begin();
    return () => conversation.close();
  }, [conversation]);
  useEffect(() => {
    const { taskId, contextId } = first.current;
    if (taskId === undefined && contextId === undefined) return;
    setOpening({ kind: 'loading' });
    let isCurrent = true;
    conversation.open(first.current).then(
      () => isCurrent && setOpening({ kind: 'ready' }),
      (error: unknown) => isCurrent && setOpening({ kind: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [conversation]);
  return { conversation, opening, reopen: () => setAttempt(attempt + 1) };
}

/** People who have a keyboard write at once; and again where the form that they answered with is gone. */
function useFocus(input: RefObject<HTMLTextAreaElement | null>, isAsking: boolean): void {
  useEffect(() => {
    if (isAsking || !matchMedia('(hover: hover) and (pointer: fine)').matches) return;
    // A menu that led here is closed by then, and the frame of the page has put the focus on its content.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      const isFree = activeElement === null || activeElement === document.body || activeElement.id === 'main';
      if (isFree) input.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [input, isAsking]);
}

function useEscape(isOn: boolean, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      // A dialog that is open takes the key for itself.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"]'))
        latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
