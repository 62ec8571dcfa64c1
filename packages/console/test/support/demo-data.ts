import { A2AClient, isTask } from 'parley-a2a';

/** The tasks of the demo data, by what is special about them. */
export interface DemoTasks {
  /** A report with a sub-agent and several artifacts, completed. */
  readonly report: string;
  /** Asks a question and waits. */
  readonly question: string;
  readonly failed: string;
  /** Goes on until it is canceled. */
  readonly endless: string;
}

/** Makes tasks of every state through the agents of the demo. */
export async function makeDemoTasks(url: string): Promise<DemoTasks> {
  const report = await startTask(url, 'reporter', 'Write the report for Q4');
  const question = await startTask(url, 'lab', 'say Warming up\nchunk 12 40\nask Which colour do you want?');
  const failed = await startTask(url, 'lab', 'chunk 3\nfail The disk is full');
  for (const quarter of ['Q1', 'Q2', 'Q3']) await startTask(url, 'reporter', `Write the report for ${quarter}`);
  const endless = await startTask(url, 'lab', 'say Going on and on\nchunk 100000 24 250', { returnImmediately: true });
  return { report, question, failed, endless };
}

/** Sends a message, by default until the task has ended or asks for something; the id of its task. */
export async function startTask(
  url: string,
  agent: string,
  text: string,
  options: NonNullable<Parameters<A2AClient['sendMessage']>[1]> = {},
): Promise<string> {
  const response = await new A2AClient(`${url}/a2a/agents/${agent}`).sendMessage(text, options);
  if (!isTask(response)) throw new Error(`${agent} replied without a task`);
  return response.id;
}
