import { defineAgent } from 'parley-a2a';

const STREETS = ['Harbour Inn', 'Old Town House', 'Station Hotel'];

/** Finds hotels; an agent of the same server as the planner, which calls it without a network. */
export const hotels = defineAgent({
  name: 'hotels',
  description: 'Finds a hotel in a city',
  version: '1.0.0',
  async *run(task) {
    await task.status('Asking the hotels…');
    const [city = '', nights = '1'] = task.text.split(', ');
    const name = STREETS[city.length % STREETS.length];
    yield `${name} in ${city}, ${nights} nights for ${Number(nights) * (70 + city.length)} €`;
  },
});
