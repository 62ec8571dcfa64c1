import { chunk, text, textOf } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { agentOf, hang } from '../../support/script.ts';

it('an event tells its new text, also where a run that was taken up writes its artifact again', async () => {
  let lives = 0;
  await using test = testAgent(
    agentOf(
      async function* (task) {
        lives += 1;
        yield 'one ';
        await task.step('look up', async () => 'found');
        yield 'two ';
        yield lives === 1 ? await hang(task) : 'three';
      },
      { resumable: true },
    ),
  );
  const stream = test.client.sendMessageStream('go');
  let [shown, naive, collected] = ['', '', ''];
  const resets: boolean[] = [];
  const reading = (async () => {
    for await (const event of stream) {
      shown += event.text;
      if (event.kind !== 'artifact') continue;
      naive += textOf(event.artifact);
      if (!event.append) resets.push(true);
    }
  })();
  await eventually(() => shown).toBe('one two ');
  await test.restart();
  await test.advance(60_000);
  await reading;
  // The artifact was put back to what it was at the step, and grew again.
  expect(resets).toHaveLength(2);
  expect(naive).not.toBe('one two three');
  expect(shown).toBe('one two three');
  for await (const piece of stream.textStream) collected += piece;
  expect(collected).toBe('one two three');
  expect(textOf(await stream.task)).toBe('one two three');
});

it('text that is replaced comes anew and whole, for what was given cannot be taken back', async () => {
  await using test = testAgent(
    agentOf(async function* () {
      yield chunk('a draft', { artifactId: 'report' });
      yield chunk(text('a final text'), { artifactId: 'report', append: false });
      yield chunk(', at last', { artifactId: 'report' });
    }),
  );
  const texts: string[] = [];
  for await (const event of test.client.sendMessageStream('go')) if (event.text) texts.push(event.text);
  expect(texts).toEqual(['a draft', 'a final text', ', at last']);
});
