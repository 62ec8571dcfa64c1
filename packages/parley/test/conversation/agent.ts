import { type Agent, bytes, complete, inputRequired, json, link, reject, reply, textOf } from 'parley-a2a';
import { agentOf, hang } from '../support/script.ts';

export const EXTENSION = 'https://example.com/ext/trace/v1';

/** Does what the first part of the message says; nothing in it depends on time. */
export function conversationalAgent(): Agent {
  return agentOf(
    async function* (task) {
      const [command] = task.parts;
      switch (command ? textOf(command) : '') {
        case 'greet':
          return reply('Hello');
        case 'report': {
          await task.status('Reading');
          yield 'one ';
          yield 'two';
          const figures = task.artifact({
            artifactId: 'figures',
            name: 'figures.csv',
            description: 'Sales by quarter',
          });
          await figures.write(
            bytes(new TextEncoder().encode('q,n\n4,2\n'), { mediaType: 'text/csv', filename: 'q4.csv' }),
          );
          await figures.write(json({ rows: 1, head: ['q', 'n'] }));
          await figures.end(link('https://files.example/q4.csv', { mediaType: 'text/csv' }));
          return complete('All done');
        }
        case 'ask':
          yield `Report for ${await task.ask('Which quarter?')}`;
          return undefined;
        case 'book':
          return inputRequired('Where to?');
        case 'collect':
          yield 'got';
          for await (const message of task.messages()) {
            if (textOf(message) === 'stop') break;
            yield ` ${textOf(message)}`;
          }
          return complete('Enough');
        case 'work':
          await task.status('Busy');
          task.onCancel(() => task.write('half'));
          return hang(task);
        case 'refuse':
          throw reject('Not this one');
        case 'echo':
          await task
            .artifact({ artifactId: 'echo', metadata: { from: 'echo' }, extensions: [EXTENSION] })
            .end(task.parts);
          return complete({ parts: task.parts, metadata: { said: [1, null] }, extensions: [EXTENSION] });
        default:
          // The answer to the question of an earlier turn.
          return `${task.text} after ${task.history.map(textOf).join(', ')}`;
      }
    },
    { inputModes: ['text/*', 'application/json'], extensions: [{ uri: EXTENSION }] },
  );
}
