import { A2AClient, serve } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { kilometresOf } from './convert.ts';
import { converter } from './converter.ts';

async function served(): Promise<string> {
  const server = await serve(converter, { port: 0 });
  onTestFinished(() => server.close());
  return server.url ?? '';
}

it('converts, with types from end to end', async () => {
  expect(await kilometresOf(10, await served())).toBeCloseTo(16.093);
});

it('says what is wrong with the input', async () => {
  const client = await A2AClient.connect<typeof converter>(await served());
  const call = client.skill('convert').call({ amount: 1, from: 'parsec' as 'm', to: 'km' });
  await expect(call).rejects.toThrow('message.parts[0].data.from must be one of m, km, mile, foot');
});

it('has a skill for those who only talk', async () => {
  const client = await A2AClient.connect(await served());
  expect(await client.run('Which units do you know?')).toBe('I know m, km, mile, foot.');
});
