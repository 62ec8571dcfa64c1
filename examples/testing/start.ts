import { defineAgent } from 'parley-a2a';
import { traveller } from './traveller.ts';

/** A stand-in for an agent elsewhere, such as the one that the test has. */
export const weather = defineAgent({
  name: 'weather',
  description: 'Knows the weather of every city',
  version: '1.0.0',
  run: ({ text }) => (/bergen|london/i.test(text) ? 'Expect rain' : 'It will be sunny'),
});

/** Calls the stand-in at the port that `parley serve` takes by default. */
export default traveller('http://127.0.0.1:4000/a2a/agents/weather');
