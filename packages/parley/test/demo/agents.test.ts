import { CALLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { analyst } from '../../../../examples/agents/analyst.ts';
import { echo } from '../../../../examples/agents/echo.ts';
import { chunkText } from '../../../../examples/agents/lab/chunks.ts';
import { lab } from '../../../../examples/agents/lab.ts';
import { createReporter } from '../../../../examples/agents/reporter.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';

function served(): { readonly peer: RpcPeer; at(name: string): RpcPeer } {
  const { peer } = startServer([createReporter({ pause: 0 }), analyst, echo, lab]);
  return { peer, at: (name) => peer.at(`/a2a/agents/${name}`) };
}

const artifactTexts = (task: Wire): string[] => task.artifacts.map((artifact: Wire) => artifact.parts[0].text);

describe('reporter', () => {
  it('streams a report with status messages on the way, a data artifact and a CSV file', async () => {
    const frames = await served().peer.stream('SendStreamingMessage', sendParams('The report for Q4, please'));
    const said = frames.flatMap((frame) => frame.result.statusUpdate?.status.message?.parts[0].text ?? []);
    expect(said).toEqual([
      'Invoking the analyst…',
      'Reading sales.csv…',
      'Analysing Q4…',
      'Received the figures, writing the report…',
    ]);
    const chunks = frames.flatMap((frame) => frame.result.artifactUpdate ?? []);
    const [report] = chunks;
    const text = chunks
      .filter((chunk) => chunk.artifact.artifactId === report.artifact.artifactId)
      .map((chunk) => chunk.artifact.parts[0].text)
      .join('');
    expect(text).toMatch(/^# Sales report for Q4 2025\n/);
    expect(text).toContain('| Product | Units | Revenue |');
    const figures = chunks.find((chunk) => chunk.artifact.name === 'figures');
    expect(figures.artifact.parts[0].data).toMatchObject({ period: 'Q4 2025' });
    const file = chunks.find((chunk) => chunk.artifact.name === 'figures-q4.csv');
    expect(file.artifact.parts[0]).toMatchObject({ filename: 'figures-q4.csv', mediaType: 'text/csv' });
    expect(atob(file.artifact.parts[0].raw).split('\n').length).toBeGreaterThan(5);
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('asks for the quarter if it is missing, again if the answer names none, and goes on with the answer', async () => {
    const { peer } = served();
    const asked = await peer.send('I need a sales report');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(asked.status.message.parts[0].text).toContain('Q1, Q2, Q3 or Q4');
    const again = await peer.send('whatever', { taskId: asked.id });
    expect(again.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await peer.send('the second one: Q2', { taskId: asked.id });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.artifacts[0].parts[0].text).toContain('# Sales report for Q2 2025');
  });
});

describe('reporter and analyst (S0.6)', () => {
  it('work together: the report’s task lists that of the analysis, whose message refers to it', async () => {
    const demo = served();
    const report = await demo.peer.send('Report for Q4');
    const [child, ...others] = report.metadata[CALLS_EXTENSION].children;
    expect({ child, others }).toMatchObject({ child: { agent: 'analyst' }, others: [] });
    const analysis = await demo.at('analyst').call('GetTask', { id: child.taskId });
    expect(analysis.history[0]).toMatchObject({ parts: [{ text: 'Analyse Q4' }], referenceTaskIds: [report.id] });
    const figures = (task: Wire) => task.artifacts.find(({ name }: Wire) => name === 'figures').parts[0].data;
    expect(figures(report)).toEqual(figures(analysis));
  });

  it('reject together', async () => {
    const { status } = await served().peer.send('Report for Q4 1999');
    expect(status).toMatchObject({
      state: 'TASK_STATE_REJECTED',
      message: { parts: [{ text: 'There are no sales for Q4 1999.' }] },
    });
  });
});

describe('analyst', () => {
  it('asks in a turn of its own and answers in the next', async () => {
    const peer = served().at('analyst');
    const asked = await peer.send('How did it go?');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await peer.send('Q3', { taskId: asked.id });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.artifacts.map((artifact: Wire) => artifact.name)).toEqual(['figures', undefined]);
  });
});

describe('echo', () => {
  it('repeats every kind of part in a bare message', async () => {
    const parts = [
      { text: 'hi' },
      { raw: 'aGk=', filename: 'hi.bin', mediaType: 'application/octet-stream' },
      { url: 'https://example.com/a.png', mediaType: 'image/png' },
      { data: { rows: [1, null, 'x'] } },
    ];
    const message = await served().at('echo').send('', { parts });
    expect(message).toMatchObject({ role: 'ROLE_AGENT', parts });
  });
});

describe('lab', () => {
  it('plays a script line by line', async () => {
    const peer = served().at('lab');
    const script = [
      'say Working on it',
      'chunk 12 20',
      'file notes.txt text/plain Hello there',
      'data {"answer": 42}',
      'wait 5',
      'ask Your name?',
    ];
    const asked = await peer.send(script.join('\n'));
    expect(asked.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'Your name?' }] },
    });
    expect(asked.history.map((message: Wire) => message.parts[0].text)).toEqual([script.join('\n'), 'Working on it']);
    const chunks = Array.from({ length: 12 }, (_, index) => chunkText(index + 1, 20)).join('');
    expect(asked.artifacts.map((artifact: Wire) => artifact.parts)).toEqual([
      [{ text: chunks }],
      [{ raw: btoa('Hello there'), filename: 'notes.txt', mediaType: 'text/plain' }],
      [{ data: { answer: 42 }, mediaType: 'application/json' }],
    ]);
    const done = await peer.send('Ada', { taskId: asked.id });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifactTexts(done).at(-1)).toBe('answered: Ada');
  });

  it.each([
    ['reply Hello', undefined],
    ['fail inner', 'TASK_STATE_FAILED'],
    ['reject not today', 'TASK_STATE_REJECTED'],
    ['auth Sign in first', 'TASK_STATE_AUTH_REQUIRED'],
    ['say so\nreply later', 'TASK_STATE_COMPLETED'],
  ])('ends as it should: %s', async (script, state) => {
    const answer = await served().at('lab').send(script);
    expect(answer.status?.state).toBe(state);
    if (state === undefined) expect(answer.parts).toEqual([{ text: 'Hello' }]);
  });

  it('answers an unknown line with the list of commands', async () => {
    const answer = await served().at('lab').send('say hi\ndance');
    expect(answer.parts[0].text).toContain('There is no command "dance"');
    for (const command of ['say', 'chunk', 'file', 'data', 'wait', 'ask', 'auth', 'reply', 'fail', 'reject']) {
      expect(answer.parts[0].text).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
  });
});
