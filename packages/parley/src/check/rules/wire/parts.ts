import { expectError, sentResult } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { sameJson, textAt } from '../../wire/json.ts';
import { partsOf, readPayload, readTask } from '../../wire/shapes.ts';

/** Sends a message with these parts; the first one is a text that makes a task. */
async function sendParts(
  probe: Probe,
  parts: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const prompt = await probe.promptFor('task');
  const params = probe.sendParams(prompt, { settings: { atOnce: true } });
  const message = { ...(params.message as object), parts: [{ text: prompt.text }, ...parts], ...more };
  return probe.call('send', { params: { ...params, message } });
}

/** The parts as the history shows them, without the text before them. */
async function roundTrip(
  probe: Probe,
  parts: readonly unknown[],
): Promise<{ readonly back: readonly unknown[]; readonly answer: Answer }> {
  const answer = await sendParts(probe, parts);
  if (answer.error?.code === -32005) skip('the agent does not take such parts');
  const seen = readPayload(sentResult(answer));
  const task = seen.kind === 'task' ? readTask(seen.value) : undefined;
  const [message] = task?.history ?? (task === undefined ? [] : ((await probe.get(task.id)).history ?? []));
  if (message === undefined) skip('no history shows what was received');
  return { back: partsOf(message).slice(1), answer };
}

export const PARTS: readonly Rule[] = [
  {
    id: 'parts.exactly-one',
    async check(probe) {
      const wrong: readonly object[] = [{}, { text: 'a', url: 'https://example.com/a' }];
      // A message of gRPC has no way to hold two.
      for (const part of probe.binding === 'grpc' ? wrong.slice(0, 1) : wrong) {
        const params = probe.sendParams({ text: 'Hello' });
        const message = { ...(params.message as object), parts: [part] };
        expectError(
          await probe.call('send', { params: { ...params, message }, odd: true }),
          'INVALID_PARAMS',
          'INVALID_REQUEST',
        );
      }
    },
  },
  {
    id: 'parts.values',
    async check(probe) {
      const parts = [{ text: '' }, { data: null }, { data: [1, 'two', false] }, { data: 3.5 }];
      const { back, answer } = await roundTrip(probe, parts);
      if (!sameJson(back, parts)) fail('parts came back changed', answer.exchange);
    },
  },
  {
    id: 'parts.raw',
    async check(probe) {
      const { back, answer } = await roundTrip(probe, [{ raw: '-_8' }, { raw: '+/8=' }]);
      const written = back.map((part) => textAt(part, 'raw'));
      if (written.some((raw) => raw !== '+/8='))
        fail(`raw came back as ${written.join(', ')} and not as +/8=`, answer.exchange);
      // Over gRPC bytes are bytes: there is nothing that could be wrong with them.
      if (probe.binding === 'grpc') return;
      const params = probe.sendParams({ text: 'Hello' });
      const message = { ...(params.message as object), parts: [{ raw: '***' }] };
      expectError(
        await probe.call('send', { params: { ...params, message }, odd: true }),
        'INVALID_PARAMS',
        'INVALID_REQUEST',
      );
    },
  },
  {
    id: 'parts.attributes',
    async check(probe) {
      const mode = textAt(probe.server.card, 'defaultInputModes', 0) ?? 'text/plain';
      const mediaType = mode.includes('*') ? 'text/plain' : mode;
      const metadata = { check: [1, null, { deep: 'yes' }] };
      const attributes = { mediaType, filename: 'a.txt', metadata };
      const parts = [
        { text: 'x', ...attributes },
        { raw: 'eA==', ...attributes },
        { data: { a: 1 }, ...attributes },
      ];
      const { back, answer } = await roundTrip(probe, parts);
      if (!sameJson(back, parts)) fail('attributes of parts came back changed', answer.exchange);
    },
  },
  {
    id: 'parts.artifact',
    async check(probe) {
      const task = probe.taskOf(await probe.say(await probe.promptFor('chunks')));
      const artifacts = task.artifacts ?? [];
      if (artifacts.length === 0) skip('the task has no artifact');
      const ids = artifacts.map((artifact) => textAt(artifact, 'artifactId') ?? fail('an artifact has no id'));
      if (new Set(ids).size !== ids.length) fail('two artifacts have the same id');
      if (artifacts.some((artifact) => partsOf(artifact).length === 0)) fail('an artifact has no parts');
    },
  },
];
