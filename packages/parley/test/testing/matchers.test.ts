import { bytes, reject, type Task } from 'parley-a2a';
import { a2aMatchers, fakeAgent, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import '../support/a2a-matchers.ts';
import { agentOf } from '../support/script.ts';

async function taskOf(...[run]: Parameters<typeof agentOf>): Promise<Task> {
  const kit = testAgent(agentOf(run));
  onTestFinished(() => kit.close());
  return kit.client.sendMessageStream('go').task;
}

/** What an assertion that does not hold says. */
function complaint(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('It holds');
}

describe('assertions', () => {
  it('look at state and text', async () => {
    const task = await taskOf(() => 'All done');
    expect(task).toBeCompleted();
    expect(task).toBeInState('completed');
    expect(task).not.toBeInState('failed');
    expect(task).toHaveText('All done');
    expect(task).toHaveText(/done$/);
    expect(task).not.toHaveText('done');
    expect(complaint(() => expect(task).toBeInState('failed'))).toBe(
      'expected the task to be failed; there is a task that is completed',
    );
    expect(complaint(() => expect(task).toHaveText('x'))).toBe('expected the text "All done" to be "x"');
  });

  it('look for artifacts', async () => {
    const task = await taskOf(async (context) => {
      await context.artifact({ artifactId: 'a', name: 'report.txt' }).end(bytes('x', { mediaType: 'text/plain' }));
      await context.artifact({ artifactId: 'b', name: 'summary' }).end('Short');
    });
    expect(task).toHaveArtifact('report.txt');
    expect(task).toHaveArtifact('a');
    expect(task).toHaveArtifact({ name: 'report.txt', mediaType: 'text/plain' });
    expect(task).toHaveArtifact({ artifactId: 'b', text: /^S/ });
    expect(task).not.toHaveArtifact({ name: 'report.txt', text: 'Short' });
    expect(complaint(() => expect(task).toHaveArtifact('figures'))).toBe(
      'expected an artifact "figures"; there is report.txt, summary',
    );
  });

  it('look for failures: reasons, words, and codes of calls', async () => {
    const failed = await taskOf(() => {
      throw new Error('inner');
    });
    expect(failed).toFailWith('agent-error');
    expect(failed).toFailWith(/Reference/);
    expect(failed).not.toFailWith('run-timeout');
    expect(await taskOf(() => Promise.reject(reject('Not my field')))).toFailWith('Not my field');
    const completed = await taskOf(() => 'fine');
    expect(complaint(() => expect(completed).toFailWith('x'))).toContain('there is a task that is completed');
    const kit = testAgent(agentOf(() => 'x'));
    onTestFinished(() => kit.close());
    await expect(kit.client.getTask('missing')).toFailWith('TASK_NOT_FOUND');
    await expect(kit.client.getTask('missing')).not.toBeCompleted();
  });

  it('wait for promises and streams', async () => {
    const kit = testAgent(agentOf(() => 'done'));
    onTestFinished(() => kit.close());
    await expect(kit.client.sendMessageStream('go')).toBeCompleted();
    await expect(kit.client.sendMessage('go')).toHaveText('done');
  });

  it('take messages, and refuse what is none of it', async () => {
    const message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Hi' }] } as const;
    const remote = fakeAgent(message);
    expect(remote.calls).toEqual([]);
    expect(message).toHaveText('Hi');
    expect(message).not.toBeCompleted();
    expect(complaint(() => expect(message).toBeCompleted())).toContain('a message without a task');
    expect(() => a2aMatchers.toBeCompleted(undefined as never)).toThrow('Not a task');
  });
});
