import { A2AClient, type ClientOptions, defineAgent, textOf } from 'parley-a2a';

/** An agent that asks another one, somewhere else, about the weather. */
export function traveller(weather: string, options?: ClientOptions) {
  return defineAgent({
    name: 'traveller',
    description: 'Says what to pack',
    version: '1.0.0',
    async run(task) {
      const report = await task.call(new A2AClient(weather, options), task.text);
      return textOf(report).includes('rain') ? 'Take an umbrella' : 'Take a hat';
    },
  });
}
