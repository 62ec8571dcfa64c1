import type { TaskState } from '../model/states.ts';
import type { Recording } from '../testing/record.ts';
import { callExpression, clientArguments } from './client-code.ts';
import { literal, textLiteral } from './literal.ts';
import type { Snippet, SnippetSource } from './recorded-call.ts';
import { maskedText, type SecretsShown } from './secrets.ts';

/** The result that the recorded call had. */
export interface ExpectedResult {
  /** Undefined where the agent replied with a message. */
  readonly state?: TaskState | undefined;
  readonly text?: string | undefined;
  /** The code of the error that the call failed with. */
  readonly error?: string | undefined;
}

interface TestSource extends SnippetSource {
  /** The agent's card and the call, with the requests that resumed it. */
  readonly recording: Recording;
  readonly expected: ExpectedResult;
}

const READS_TASK = new Set(['sendMessage', 'sendStreamingMessage', 'subscribeToTask', 'getTask', 'cancelTask']);

/** The call as a test for vitest, with a recording of the test kit instead of the agent. */
export function testCode(source: TestSource, secrets: SecretsShown = {}): Snippet {
  const { call, recording, expected, request } = source;
  // Recordings hold no credentials, and are answered without any.
  const replayed = {
    ...source,
    request: { ...request, headers: request.headers.filter(([name]) => name === 'last-event-id') },
  };
  const isStream = call.operation === 'sendStreamingMessage' || call.operation === 'subscribeToTask';
  const expression = callExpression(replayed);
  const result = isStream ? `${expression}.result` : expression;
  const readsTask = READS_TASK.has(call.operation) && expected.error === undefined;
  const names = ['A2AClient', ...(readsTask ? ['isTask', 'textOf'] : [])];
  const lines = [
    `import { ${names.join(', ')} } from 'parley-a2a';`,
    "import { type Recording, replay } from 'parley-a2a/testing';",
    "import { expect, it } from 'vitest';",
    '',
    `const recording: Recording = ${literal(recording)};`,
    '',
    `it(${textLiteral(`answers ${call.operation} as recorded`)}, async () => {`,
    `  const client = new A2AClient(${clientArguments(replayed, secrets, ['fetch: replay(recording)'])});`,
    ...(expected.error === undefined
      ? readsTask
        ? [`  const result = await ${result};`, ...assertions(expected)]
        : [`  await expect(Promise.resolve(${result})).resolves.not.toThrow();`]
      : [`  await expect(${result}).rejects.toMatchObject({ code: ${textLiteral(expected.error)} });`]),
    '});',
  ];
  return { text: `${maskedText(lines.join('\n'), secrets)}\n`, notes: [] };
}

function assertions({ state, text = '' }: ExpectedResult): readonly string[] {
  return [
    state === undefined
      ? '  expect(isTask(result)).toBe(false);'
      : `  expect(isTask(result) && result.status.state).toBe(${textLiteral(state)});`,
    `  expect(textOf(result)).toBe(${textLiteral(text)});`,
  ];
}
