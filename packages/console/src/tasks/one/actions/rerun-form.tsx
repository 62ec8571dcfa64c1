import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { RerunRequest, RerunResult, TreeStep } from '../../../../../parley/src/server/operator/console-api.ts';
import { postOperator } from '../../../api/operator.ts';
import { Button, ErrorNote, SelectField, TextArea } from '../../../design/components/index.ts';
import type { WireMessage } from '../../log/wire-events.ts';
import styles from '../task-page.module.css';
import { callOf, stepWords } from '../time/step-words.ts';
import { useAction } from '../use-action.ts';
import { editMessage, isPlainMessage, textOfMessage } from './edit-message.ts';

interface RerunFormProps {
  readonly taskId: string;
  /** The first message of the task; undefined where retention has removed it. */
  readonly message: WireMessage | undefined;
  /** The steps of a resumable run that were recorded. */
  readonly steps: readonly TreeStep[];
  readonly onDone: () => void;
}

/** The same message again, an edited one, or the run from one of its steps; each makes a new task. */
export function RerunForm({ taskId, message, steps, onDone }: RerunFormProps) {
  const [, navigate] = useLocation();
  const original = textOfMessage(message);
  const [text, setText] = useState(original);
  const [fromStep, setFromStep] = useState('');
  const isPlain = isPlainMessage(message);
  const { run, error, isRunning } = useAction(async () => {
    const request: RerunRequest = {
      ...(text !== original && { message: editMessage(message, text) }),
      ...(fromStep !== '' && { fromStep }),
    };
    const made = await postOperator<RerunResult>(`tasks/${encodeURIComponent(taskId)}/rerun`, request);
    onDone();
    navigate(`/tasks/${encodeURIComponent(made.taskId)}`);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea
        label="Message"
        hint={isPlain ? 'Left as it is, the same message is sent again.' : 'The message as JSON of A2A 1.0.'}
        rows={isPlain ? 5 : 12}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {steps.length > 0 && (
        <SelectField label="From" value={fromStep} onChange={({ target }) => setFromStep(target.value)}>
          <option value="">The beginning</option>
          {steps
            .filter(({ name }) => callOf(name)?.isBeginning !== false)
            .map(({ name }) => (
              <option key={name} value={name}>
                {stepWords(name)}
              </option>
            ))}
        </SelectField>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <Button type="submit" kind="primary" disabled={isRunning}>
        {text === original ? 'Run again' : 'Run with this message'}
      </Button>
    </form>
  );
}
