import { defineAgent } from 'parley-a2a';

export const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets its callers',
  version: '1.0.0',
  run: ({ text, user }) => `Hello ${text}! You are ${user.subject || 'a stranger'}.`,
});
