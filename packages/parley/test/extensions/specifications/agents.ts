import { type Agent, defineAgent, json } from 'parley-a2a';
import { z } from 'zod';

const about = { description: 'An agent of a specification', version: '1.0.0' };

const counter = defineAgent({
  ...about,
  name: 'counter',
  *run() {
    yield 'one ';
    yield 'two';
  },
});

const tailor = defineAgent({
  ...about,
  name: 'tailor',
  async run(task) {
    const size = await task.ask({
      prompt: 'Which size?',
      choices: ['small', { value: 'large', label: 'Rather large' }],
    });
    return `A ${size} shirt`;
  },
});

const caterer = defineAgent({
  ...about,
  name: 'caterer',
  async run(task) {
    const [dish, guests] = await Promise.all([
      task.ask({ prompt: 'Which dish?', choices: ['soup', 'pie'] }),
      task.ask({ prompt: 'How many guests?', schema: z.number() }),
    ]);
    return `${guests} times ${dish}`;
  },
});

const planner = defineAgent({
  ...about,
  name: 'planner',
  async run(task) {
    const slots = await task.tool('free_slots', { day: '2026-03-01' });
    return `Free: ${JSON.stringify(slots)}`;
  },
});

const analyst = defineAgent({ ...about, name: 'analyst', run: (task) => `Looked at ${task.text}` });

const reporter = defineAgent({
  ...about,
  name: 'reporter',
  async run(task) {
    const analysis = await task.call(analyst, 'Q4');
    return `The analyst: ${analysis && 'status' in analysis ? analysis.status.state : 'a message'}`;
  },
});

const converter = defineAgent({
  ...about,
  name: 'converter',
  skills: [
    {
      id: 'convert',
      name: 'Conversion',
      description: 'Miles to kilometres',
      tags: ['units'],
      input: z.object({ miles: z.number() }),
      output: z.object({ kilometres: z.number() }),
    },
  ],
  run: (task) => json({ kilometres: (task.input?.miles ?? 0) * 1.6 }),
});

const clerk = defineAgent({
  ...about,
  name: 'clerk',
  async run(task) {
    const { text } = await task.requireAuth({
      schemes: ['oauth2'],
      scopes: ['crm:read'],
      url: 'https://crm.example.com/',
    });
    return `Signed in with ${text.length} characters`;
  },
});

const indexer = defineAgent({
  name: 'indexer',
  description: 'Says in one line what a task is about',
  version: '1.0.0',
  run(task) {
    task.summary(`Index\nof ${task.text}`);
    return 'done';
  },
});

/** The agents that the specifications of `docs/extensions` speak to. */
export const AGENTS: readonly Agent[] = [
  counter,
  tailor,
  caterer,
  planner,
  reporter,
  analyst,
  converter,
  clerk,
  indexer,
] as const;
