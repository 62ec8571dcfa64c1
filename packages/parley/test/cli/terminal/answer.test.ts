import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/cli/turn/answer.ts';
import { artifactOf, begins, writes } from '../../client/support/scripted.ts';

/** What a program that reads the answer gets. */
function written(show: (answer: Answer) => void): string {
  let all = '';
  const screen = {
    isShown: false,
    idle: () => {},
    write: (text: string) => {
      all += text;
    },
  };
  const answer = new Answer(screen as unknown as ConstructorParameters<typeof Answer>[0]);
  show(answer);
  return all;
}

describe('the answer on stdout', () => {
  it('does not repeat an artifact that is put back and written again', () => {
    const all = written((answer) => {
      for (const event of [
        writes('one ', false),
        writes('two '),
        writes('one ', false),
        writes('two '),
        writes('three'),
      ])
        answer.apply(event);
    });
    expect(all).toBe('one two three');
  });

  it('goes on where the task has more than was written', () => {
    const all = written((answer) => {
      answer.apply(writes('one ', false));
      answer.apply(begins('working', artifactOf('one two')));
    });
    expect(all).toBe('one two');
  });

  it('writes an artifact anew that becomes another one, with all of it', () => {
    const all = written((answer) => {
      for (const event of [writes('good morning', false), writes('good ', false), writes('evening')])
        answer.apply(event);
    });
    expect(all).toBe('good morning\n\ngood evening');
  });
});
