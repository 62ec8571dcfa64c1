import { type Agent, defineAgent, textOf } from 'parley-a2a';

/**
 * Takes notes for a conversation. Each message is a task of its own; what they share is the context: a list of notes
 * that is kept, and what was said before.
 */
export const notebook: Agent = defineAgent({
  name: 'notebook',
  description: 'Takes notes: "note …", "notes", "what did I say?"',
  version: '1.0.0',
  async run({ text, context }) {
    const notes = (await context.get<string[]>('notes')) ?? [];
    const note = /^note (.+)$/is.exec(text)?.[1];
    if (note) {
      await context.set('notes', [...notes, note]);
      return `Noted. That makes ${notes.length + 1}.`;
    }
    if (/^notes$/i.test(text)) return notes.length > 0 ? notes.map((line) => `- ${line}`).join('\n') : 'No notes yet.';
    if (/^forget$/i.test(text)) {
      await context.delete('notes');
      return 'Forgotten.';
    }
    const said = (await context.messages({ limit: 20 })).filter(({ role }) => role === 'user');
    if (said.length === 0) return 'Nothing yet.';
    return `You said: ${said.map((message) => `“${textOf(message)}”`).join(', ')}`;
  },
});
