import type { WireExchange } from '../record/exchange.ts';
import { type Resume, resumesIn } from '../record/resumes.ts';
import styles from './traffic.module.css';

/** Cuts that are told of; older ones are in the list. */
const SHOWN = 3;

/** What became of streams that were cut: where they stood, and what came after. */
export function ResumeReport({ exchanges }: { readonly exchanges: readonly WireExchange[] }) {
  const resumes = resumesIn(exchanges).slice(0, SHOWN);
  if (resumes.length === 0) return null;
  return (
    <ul className={styles.resumes} aria-label="Streams that were cut">
      {resumes.map((resume) => (
        <li key={resume.cut.id}>{sentenceOf(resume)}</li>
      ))}
    </ul>
  );
}

function sentenceOf({ taskId, position, by, attempts, events, repeated, latest }: Resume): string {
  const task = `The stream of task ${taskId.slice(-6)} was cut ${position === undefined ? 'before its first position' : `after position ${position}`}`;
  const tried = attempts === 0 ? '' : `, after ${attempts} attempt${attempts === 1 ? '' : 's'} without a connection`;
  if (!by) return `${task}. It is not taken up again yet${tried.replace(', after', ':')}.`;
  const after = by.request.headers.find(([name]) => name === 'last-event-id')?.[1];
  const from = after === undefined ? 'from the task as it is' : `after position ${after}`;
  const came = `${events} event${events === 1 ? '' : 's'} came since${latest === undefined ? '' : `, up to position ${latest}`}`;
  return `${task}. It was resumed ${from}${tried}: ${came}, ${repeated === 0 ? 'none' : repeated} of them twice.`;
}
