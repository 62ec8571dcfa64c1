import { A2AError } from 'parley-a2a';
import {
  type A2AMatchers,
  a2aMatchers,
  type FakeResponse,
  type Faults,
  fakeAgent,
  faulty,
  testAgent,
} from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { traveller } from './traveller.ts';

declare module 'vitest' {
  interface Matchers<R, T> extends A2AMatchers<R, T> {}
}

expect.extend(a2aMatchers);

/** The agent under test, with a weather report that says what the test wants. */
function packing(weather: FakeResponse, faults: Faults = {}) {
  const remote = fakeAgent(weather);
  const options = { fetch: faulty(remote.fetch, faults), reconnect: { firstDelay: 1 }, retry: { firstDelay: 1 } };
  const kit = testAgent(traveller(remote.url, options));
  onTestFinished(() => kit.close());
  return { client: kit.client, remote };
}

describe('the traveller', () => {
  it('listens to the weather', async () => {
    const { client, remote } = packing(['It will ', 'rain']);
    expect(await client.run('Oslo')).toBe('Take an umbrella');
    expect(remote.calls).toMatchObject([{ input: { message: { parts: [{ text: 'Oslo' }] } } }]);
  });

  it('hears all of it, though the line is bad', async () => {
    const { client } = packing(['It will ', 'rain'], {
      unavailable: 1,
      cutAt: [2, 1],
      duplicate: [undefined, undefined, 1],
    });
    expect(await client.run('Oslo')).toBe('Take an umbrella');
  });

  it('fails where there is no report', async () => {
    const { client } = packing(new A2AError('UNSUPPORTED_OPERATION', 'No reports today'));
    await expect(client.sendMessage('Oslo')).toFailWith('agent-error');
  });
});
