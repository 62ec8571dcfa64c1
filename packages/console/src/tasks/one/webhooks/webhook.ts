import type { Tone } from '../../../design/components/index.ts';

/** A webhook as `GET /a2a/operator/push` shows it. */
export interface Webhook {
  readonly taskId: string;
  readonly id: string;
  readonly url: string;
  readonly createdAt: string;
  /** The last event that it was told. */
  readonly position: number;
  readonly taskSeq: number | null;
  /** `ended`: it was given up. */
  readonly standing: 'active' | 'paused' | 'disabled' | 'ended';
  readonly isPending: boolean;
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastTry: string | null;
  readonly lastError: string | null;
  readonly nextTry: string | null;
}

export interface WebhookPage {
  readonly webhooks: readonly Webhook[];
  readonly next?: string | undefined;
}

/** It is not told what it should be. */
export function isFailing({ failures, standing }: Webhook): boolean {
  return failures > 0 || standing !== 'active';
}

/** How a webhook stands, in a word and a colour. */
export function standingOf(webhook: Webhook): { readonly word: string; readonly tone: Tone } {
  const { standing, failures, isPending } = webhook;
  if (standing === 'disabled') return { word: 'disabled', tone: 'bad' };
  if (standing === 'ended') return { word: 'given up', tone: 'bad' };
  if (standing === 'paused') return { word: 'paused', tone: 'warn' };
  if (failures > 0) return { word: 'failing', tone: 'bad' };
  return isPending ? { word: 'being told', tone: 'active' } : { word: 'up to date', tone: 'good' };
}
