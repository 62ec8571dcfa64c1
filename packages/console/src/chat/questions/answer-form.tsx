import type { JsonValue } from 'parley-a2a/client';
import type { AskedQuestion } from 'parley-a2a/extensions';
import { type FormEvent, useState } from 'react';
import { Button, DataTree, TextArea, TextField } from '../../design/components/index.ts';
import { SchemaForm } from '../../design/forms/index.tsx';
import { recorder } from '../../wire/record/wire.ts';
import styles from './questions.module.css';

interface AnswerFormProps {
  readonly question: AskedQuestion;
  readonly onAnswer: (value: JsonValue | undefined, error?: string) => void;
}

/** The form that fits a question: choices, a schema, a secret, the result of a tool, or words. */
export function AnswerForm({ question, onAnswer }: AnswerFormProps) {
  const { approves, choices, schema, sensitive, tool } = question;
  if (tool !== undefined) return <ToolForm args={tool.args} onAnswer={onAnswer} />;
  if (sensitive === true) return <SecretForm label="Answer" onSubmit={onAnswer} />;
  if (choices !== undefined && choices.length > 0) {
    return (
      <>
        {approves !== undefined && <DataTree value={approves.args} label="Arguments" />}
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">Choices</legend>
          {choices.map(({ value, label }) => (
            <Button key={value} kind={kindOf(value, approves !== undefined)} wraps onClick={() => onAnswer(value)}>
              {label ?? value}
            </Button>
          ))}
        </fieldset>
      </>
    );
  }
  if (schema !== undefined) {
    return <SchemaForm schema={schema} submitLabel="Answer" onSubmit={(value) => onAnswer(value as JsonValue)} />;
  }
  return <WordsForm onSubmit={onAnswer} />;
}

function kindOf(value: string, isApproval: boolean): 'plain' | 'primary' | 'danger' {
  if (!isApproval) return 'plain';
  return value === 'approve' ? 'primary' : 'danger';
}

/** A field whose letters are not seen; it is empty again once it was sent. */
export function SecretForm({
  label,
  onSubmit,
}: {
  readonly label: string;
  readonly onSubmit: (secret: string) => void;
}) {
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret === '') return;
    setSecret('');
    recorder.hide(secret);
    onSubmit(secret);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={label}
        type="password"
        autoComplete="off"
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
        hint="Sent to the agent. Neither the conversation nor the wire shows it."
      />
      <Button kind="primary" type="submit">
        Send
      </Button>
    </form>
  );
}

function WordsForm({ onSubmit }: { readonly onSubmit: (words: string) => void }) {
  const [words, setWords] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim() !== '') onSubmit(words);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField label="Answer" value={words} onChange={(event) => setWords(event.target.value)} />
      <Button kind="primary" type="submit">
        Answer
      </Button>
    </form>
  );
}

/** A tool that this person runs for the agent: its arguments, and a place for the result or what went wrong. */
function ToolForm({ args, onAnswer }: { readonly args: JsonValue; readonly onAnswer: AnswerFormProps['onAnswer'] }) {
  const [result, setResult] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(readResult(result));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <DataTree value={args} label="Arguments" />
      <TextArea
        label="Result"
        hint="JSON, or words as they are"
        value={result}
        onChange={(event) => setResult(event.target.value)}
      />
      <div className={styles.choices}>
        <Button kind="primary" type="submit">
          Send the result
        </Button>
        <Button kind="danger" onClick={() => onAnswer(undefined, result.trim() || 'The tool failed')}>
          Say that it failed
        </Button>
      </div>
    </form>
  );
}

function readResult(written: string): JsonValue {
  try {
    return JSON.parse(written) as JsonValue;
  } catch {
    return written;
  }
}
