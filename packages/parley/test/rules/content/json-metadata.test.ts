import { text } from 'parley-a2a';
import { expect, it } from 'vitest';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** As JSON text, so that also the member `__proto__` is one of its own. */
const METADATA: Wire = JSON.parse(`{
  "text": "Grüße 🙂 \\u2028 \\"quoted\\"",
  "empty": "",
  "zero": 0,
  "negative": -1.5e-7,
  "large": 9007199254740991,
  "yes": true,
  "no": false,
  "nothing": null,
  "list": [1, "two", null, [3, {}], {"four": [null]}],
  "nested": {"snake_case": {"camelCase": {"": "empty name"}}},
  "https://example.com/ext/v1": {"kind": "task", "final": true},
  "__proto__": {"polluted": true},
  "toString": "a word"
}`);

it('keeps any JSON value in metadata, in and out [rule:json.metadata]', async () => {
  let seen: Wire;
  const { peer } = startServer(
    agentOf(async (task) => {
      seen = { request: task.metadata, message: task.message.metadata, part: task.parts[0]?.metadata };
      await task.status({ parts: [text('Working')], metadata: METADATA }, { metadata: METADATA });
      await task.artifact({ metadata: METADATA }).end(text('done', { metadata: METADATA }));
    }),
  );
  const params = sendParams('go', { metadata: METADATA, parts: [{ text: 'go', metadata: METADATA }] });
  const frames = await peer.stream('SendStreamingMessage', { ...params, metadata: METADATA });
  const written = JSON.stringify(METADATA);
  for (const value of Object.values(seen)) expect(JSON.stringify(value)).toBe(written);

  const update = frames.find((frame) => frame.result.statusUpdate?.metadata)?.result.statusUpdate;
  expect(JSON.stringify(update.metadata)).toBe(written);
  expect(JSON.stringify(update.status.message.metadata)).toBe(written);
  const task = await peer.call('GetTask', { id: update.taskId });
  const kept = [
    task.history[0].metadata,
    task.history[0].parts[0].metadata,
    task.history[1].metadata,
    task.artifacts[0].metadata,
    task.artifacts[0].parts[0].metadata,
  ];
  for (const value of kept) expect(JSON.stringify(value)).toBe(written);
  expect({}).not.toHaveProperty('polluted');
});

it('keeps an empty object, and refuses what is no object [rule:json.metadata]', async () => {
  const { peer } = startServer(agentOf((task) => task.text));
  const task = await peer.send('go', { metadata: {} });
  expect(task.history[0].metadata).toEqual({});
  for (const metadata of ['text', 5, [], true]) {
    expect((await peer.error('SendMessage', sendParams('go', { metadata }))).code).toBe(-32602);
    expect((await peer.error('SendMessage', { ...sendParams('go'), metadata })).code).toBe(-32602);
  }
});
