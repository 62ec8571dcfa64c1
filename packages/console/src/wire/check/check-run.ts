import type {
  CheckBegin,
  CheckedRule,
  CheckFailure,
  CheckLine,
  CheckRequest,
  CheckSummary,
} from '../../../../parley/src/server/operator/check-api.ts';
import { operatorUrl, refusalOf } from '../../api/operator.ts';
import { ownFetch } from '../../api/transport.ts';

/** How far a check is. */
export interface CheckProgress {
  readonly begin?: CheckBegin | undefined;
  /** As they became known. */
  readonly rules: readonly CheckedRule[];
  readonly summary?: CheckSummary | undefined;
  readonly failure?: CheckFailure | undefined;
}

export const NOTHING_CHECKED: CheckProgress = { rules: [] };

/** Runs a check on the server, and tells how far it is after each piece of its response. */
export async function runCheck(
  request: CheckRequest,
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void,
): Promise<void> {
  const response = await ownFetch(operatorUrl('check'), {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { 'content-type': 'application/json' },
    signal,
  });
  if (!response.ok || !response.body) throw await refusalOf(response);
  let progress = NOTHING_CHECKED;
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    progress = lines.filter((line) => line.trim() !== '').reduce(taken, progress);
    onProgress(progress);
  }
  if (rest.trim() !== '') progress = taken(progress, rest);
  onProgress(progress);
  if (!progress.summary && !progress.failure) throw new Error('The check broke off before its end.');
}

function taken(progress: CheckProgress, text: string): CheckProgress {
  const line = JSON.parse(text) as CheckLine;
  switch (line.kind) {
    case 'begin':
      return { ...progress, begin: line };
    case 'rule':
      return { ...progress, rules: [...progress.rules, line] };
    case 'summary':
      return { ...progress, summary: line };
    case 'error':
      return { ...progress, failure: line };
  }
}
