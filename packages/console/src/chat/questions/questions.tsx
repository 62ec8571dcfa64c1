import { type Part, type TaskStatus, text } from 'parley-a2a/client';
import { type AskedQuestion, openQuestionsOf, taskAuthOf } from 'parley-a2a/extensions';
import { Panel } from '../../design/components/index.ts';
import { PartView } from '../parts/part-view.tsx';
import type { Sending } from '../talk/conversation.ts';
import { SafeLink } from '../text/safe-link.tsx';
import { AnswerForm, SecretForm } from './answer-form.tsx';
import { answerParts, HIDDEN } from './answers.ts';
import styles from './questions.module.css';

interface QuestionsProps {
  readonly status: TaskStatus;
  readonly onAnswer: (sending: Sending) => void;
}

/** What a task waits for: its questions, each with a form that fits; or an authorization. */
export function Questions({ status, onAnswer }: QuestionsProps) {
  if (status.state === 'auth-required') return <Authorization status={status} onAnswer={onAnswer} />;
  if (status.state !== 'input-required') return null;
  const { message } = status;
  const questions = message === undefined ? [] : openQuestionsOf(message);
  const [only] = questions;
  if (questions.length === 0) {
    return (
      <Panel title="The agent asks">
        {message === undefined ? <p>It waits for more.</p> : <Words parts={message.parts} />}
      </Panel>
    );
  }
  return questions.map((question) => (
    <Panel key={question.id} title={titleOf(question)}>
      <div className={styles.question}>
        {question.problem !== undefined && (
          <p className={styles.problem} role="alert">
            That was not taken: {question.problem}
          </p>
        )}
        <Words parts={[text(question.prompt)]} />
        <AnswerForm
          key={question.id}
          question={question}
          onAnswer={(value, error) =>
            onAnswer({
              parts: answerParts(question, { value, error }, question === only && questions.length === 1),
              ...(question.sensitive === true && { shown: HIDDEN }),
            })
          }
        />
        {question.timeoutSeconds !== undefined && (
          <p className={styles.hint}>The agent waits {Math.ceil(question.timeoutSeconds / 60)} min for it.</p>
        )}
      </div>
    </Panel>
  ));
}

function titleOf({ approves, tool }: AskedQuestion): string {
  if (approves !== undefined) return `May the agent use ${approves.name}?`;
  return tool === undefined ? 'The agent asks' : `The agent wants you to run ${tool.name}`;
}

function Words({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, place) => (
        <PartView key={String(place)} part={part} />
      ))}
    </>
  );
}

/** A task that waits for a credential: what it needs, where to get it, and where to put it. */
function Authorization({ status, onAnswer }: QuestionsProps) {
  const info = status.message && taskAuthOf(status.message);
  const schemes = info?.schemes?.map((scheme) => (typeof scheme === 'string' ? scheme : scheme.type)) ?? [];
  return (
    <Panel title="The agent needs an authorization">
      <div className={styles.question}>
        {status.message !== undefined && <Words parts={status.message.parts} />}
        {schemes.length > 0 && <p>By: {schemes.join(', ')}</p>}
        {info?.scopes !== undefined && info.scopes.length > 0 && <p>For: {info.scopes.join(', ')}</p>}
        {info?.url !== undefined && (
          <p>
            Get it at <SafeLink href={info.url}>{info.url}</SafeLink>
          </p>
        )}
        <SecretForm label="Credential" onSubmit={(secret) => onAnswer({ parts: [text(secret)], shown: HIDDEN })} />
      </div>
    </Panel>
  );
}
