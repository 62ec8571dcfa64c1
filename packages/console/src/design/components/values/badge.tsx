import type { ReactNode } from 'react';
import { classes } from '../../classes.ts';
import styles from './badge.module.css';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'active';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles.badge, tone !== 'plain' && styles[tone])}>{children}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  submitted: 'plain',
  working: 'active',
  'input required': 'warn',
  'auth required': 'warn',
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  canceled: 'plain',
};

/** The state of a task, as the client names it or as the wire of 1.0 does, in words. */
export function stateWord(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll(/[-_]/g, ' ');
}

/** The state of a task: its word, and a colour that says the same. */
export function StateBadge({ state }: { readonly state: string }) {
  const word = stateWord(state);
  return <Badge tone={TONES[word] ?? 'plain'}>{word}</Badge>;
}
