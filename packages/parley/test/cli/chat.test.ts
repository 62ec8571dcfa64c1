import { describe, expect, it } from 'vitest';
import { serveAgents } from './support/agents.ts';
import { plain } from './support/in-process.ts';
import {
  CTRL_C,
  CTRL_D,
  ENTER,
  HIDDEN_PROMPT,
  PROMPT,
  QUESTION_PROMPT,
  startInTerminal,
  type Terminal,
} from './support/terminal.ts';

async function startChat(url: string): Promise<Terminal> {
  const terminal = startInTerminal(['chat', url]);
  await terminal.shows(PROMPT);
  return terminal;
}

describe('chat in a pseudo-terminal', () => {
  it('streams answers and takes answers to questions', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`ask Your name?${ENTER}`);
    await terminal.shows('\u001b[33mYour name?', QUESTION_PROMPT);
    terminal.type(`Bob${ENTER}`);
    await terminal.shows('answered: Bob', PROMPT);
    terminal.type(`reply **Bold** and \`code\`${ENTER}`);
    await terminal.shows('\u001b[1mBold\u001b[0m and \u001b[36mcode\u001b[0m', PROMPT);
    terminal.type(CTRL_D);
    const { code, stdout } = await terminal.ended;
    expect(code).toBe(0);
    expect(plain(stdout)).toContain('lab 1.0.0 – Plays a script');
    expect(plain(stdout)).toMatch(/Go on with: parley chat \S+ --context \S+/);
  });

  it.for([
    'message',
    'part',
    'question',
  ])('hides what is typed where the %s says that it is sensitive', async (where) => {
    const { at } = await serveAgents();
    const terminal = await startChat(at('vault'));
    terminal.type(`${where}${ENTER}`);
    await terminal.shows('The password?', HIDDEN_PROMPT);
    terminal.type(`open sesame${ENTER}`);
    await terminal.shows('11 characters', PROMPT);
    // It is not in the history either.
    terminal.type('\u001b[A');
    await terminal.shows(where);
    terminal.type(CTRL_C);
    await terminal.shows(PROMPT);
    terminal.type(CTRL_D);
    const { stdout } = await terminal.ended;
    expect(stdout).not.toContain('sesame');
  });

  it('hides what is typed for an authorization', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`auth The token?${ENTER}`);
    await terminal.shows('The token?', HIDDEN_PROMPT);
    terminal.type(`sesame${ENTER}`);
    // The lab tells it on.
    await terminal.shows('authorized: sesame', PROMPT);
    expect(terminal.output.stdout.match(/sesame/g)).toHaveLength(1);
  });

  it('waits for an authorization that is given elsewhere', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`auth Log in at example.com${ENTER}`);
    await terminal.shows('press Enter', HIDDEN_PROMPT);
    terminal.type(ENTER);
    await terminal.shows('· 0s');
    const { A2AClient } = await import('parley-a2a');
    const client = new A2AClient(url);
    const { tasks } = await client.listTasks();
    await client.sendMessage('granted', { taskId: tasks[0]?.id });
    await terminal.shows('authorized: granted', PROMPT);
  });

  it('cancels the task on Ctrl-C and goes on', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`say Counting sheep\\${ENTER}wait 60000${ENTER}`);
    await terminal.shows('Counting sheep · 0s');
    terminal.type(CTRL_C);
    await terminal.shows('Canceling the task', 'The task was canceled.', PROMPT);
    terminal.type(`reply Still here${ENTER}`);
    await terminal.shows('\nStill here', PROMPT);
    terminal.type(`/exit${ENTER}`);
    expect((await terminal.ended).code).toBe(0);
  });

  it('leaves on a second Ctrl-C while the task is being canceled', async () => {
    const { at } = await serveAgents();
    const terminal = await startChat(at('stubborn'));
    terminal.type(`go${ENTER}`);
    await terminal.shows('begun');
    terminal.type(CTRL_C);
    await terminal.shows('Canceling the task');
    terminal.type(CTRL_C);
    expect((await terminal.ended).code).toBe(130);
  });

  it('cancels a task that waits on Ctrl-C, and leaves on the second', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`ask One?${ENTER}`);
    await terminal.shows(QUESTION_PROMPT);
    terminal.type(CTRL_C);
    await terminal.shows('The task was canceled. Ctrl-C again leaves.', PROMPT);
    terminal.type(CTRL_C);
    expect((await terminal.ended).code).toBe(130);
  });

  it('clears the line on Ctrl-C, and leaves on two at an empty one', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type('never sent');
    await terminal.shows('never sent');
    terminal.type(CTRL_C);
    await terminal.shows(PROMPT);
    terminal.type(CTRL_C);
    await terminal.shows('Ctrl-C again leaves.', PROMPT);
    terminal.type(CTRL_C);
    expect((await terminal.ended).code).toBe(130);
  });

  it('sends pasted lines as one message', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type('say One\rchunk 2 4\rreply Two\r');
    await terminal.shows('00010002', 'Two', PROMPT);
    terminal.type(CTRL_D);
    expect((await terminal.ended).code).toBe(0);
  });

  it('takes up a question that was left open', async () => {
    const { url } = await serveAgents();
    const terminal = await startChat(url);
    terminal.type(`ask Your name?${ENTER}`);
    await terminal.shows(QUESTION_PROMPT);
    terminal.type(CTRL_D);
    const { code, stdout } = await terminal.ended;
    expect(code).toBe(5);
    const id = /chat \S+ --task (\S+)/.exec(plain(stdout))?.[1] ?? '';
    const again = startInTerminal(['chat', url, '--task', id]);
    await again.shows('Your name?', QUESTION_PROMPT);
    again.type(`Eve${ENTER}`);
    await again.shows('answered: Eve');
  });
});

describe('stream in a pseudo-terminal', () => {
  it('shows a status line and erases it', async () => {
    const { url } = await serveAgents();
    const terminal = startInTerminal(['stream', url, 'say Thinking hard\nwait 800\nreply # Done']);
    await terminal.shows('Thinking hard · 0s', '\r\u001b[K', '\u001b[1;4mDone\u001b[0m');
    const { code, stdout } = await terminal.ended;
    expect(code).toBe(0);
    expect(plain(stdout)).toMatch(/Done\n.*task \S+ · context \S+ · completed\n$/);
  });

  it('cancels on Ctrl-C', async () => {
    const { url } = await serveAgents();
    const terminal = startInTerminal(['stream', url, 'chunk 1 4\nwait 60000']);
    await terminal.shows('0001 · 0s');
    terminal.type(CTRL_C);
    await terminal.shows('Canceling the task; Ctrl-C again leaves at once.', '0001\r\n', 'The task was canceled.');
    expect((await terminal.ended).code).toBe(1);
  });

  it('never lets the agent reach the terminal itself', async () => {
    const { at } = await serveAgents();
    const commands = [
      ['stream', at('rude'), 'go'],
      ['card', at('rude')],
      ['tasks', at('rude')],
    ];
    for (const args of commands) {
      const { stdout } = await startInTerminal(args).ended;
      for (const sequence of ['\u001b[31m', '\u001b[2J', '\u001b]', '\u0007', '\u202e', '\u009b']) {
        expect(stdout).not.toContain(sequence);
      }
    }
  });
});
