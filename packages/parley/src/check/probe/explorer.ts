import { skip } from '../verdict.ts';
import { readPayload, readTask } from '../wire/shapes.ts';
import type { Probe } from './probe.ts';
import {
  examplesOf,
  GREETING,
  labPrompts,
  type Prompt,
  playsScripts,
  type Situation,
  testKitPrompt,
} from './prompts.ts';
import type { Server } from './server.ts';

/** An agent that works this long is seen at work. */
const LONG_WORK_MS = 700;

interface Finding {
  readonly prompt: Prompt;
  /** The state of the task that came, or that a message did. */
  readonly came: string;
  readonly milliseconds: number;
}

/**
 * Finds messages that bring a server into the situations that rules need. What the user gave comes first; the lab agent of
 * Parley plays scripts; of other agents the examples of the card are tried, and the message ids of the official test kit.
 */
export class Explorer {
  readonly #server: Server;
  readonly playsScripts: boolean;
  #findings: Promise<readonly Finding[]> | undefined;

  constructor(server: Server) {
    this.#server = server;
    this.playsScripts = playsScripts(server.card);
  }

  /** A message for a situation; skips the rule where none is known. */
  async promptFor(situation: Situation, probe: Probe): Promise<Prompt> {
    const given = this.#server.prompts[situation];
    if (given) return given;
    if (this.playsScripts) return labPrompts()[situation];
    this.#findings ??= this.#explore(probe);
    const found = choose(await this.#findings, situation);
    return found ?? skip(`no message was found that ${WANTED[situation]}; --prompt ${situation}=TEXT gives one`);
  }

  async #explore(probe: Probe): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    const tried: Prompt[] = [GREETING, ...examplesOf(this.#server.card)].map((text) => ({ text }));
    for (const prompt of tried) findings.push(await attempt(prompt, probe));
    const asking = await attempt(testKitPrompt('asking'), probe);
    const knowsKit = asking.came === 'input-required' && findings[0]?.came !== 'input-required';
    if (!knowsKit) return findings;
    const rest: readonly Situation[] = ['task', 'failing', 'rejecting', 'authorizing', 'replying', 'running', 'chunks'];
    findings.push(asking);
    for (const situation of rest) findings.push(await attempt(testKitPrompt(situation), probe));
    return findings;
  }
}

async function attempt(prompt: Prompt, probe: Probe): Promise<Finding> {
  const start = performance.now();
  const answer = await probe.say(prompt);
  const seen = readPayload(answer.result);
  const task = seen.kind === 'task' ? readTask(seen.value) : undefined;
  const came = task?.state ?? (seen.kind === 'message' ? 'message' : 'nothing');
  return { prompt, came, milliseconds: performance.now() - start };
}

const WANTED: Readonly<Record<Situation, string>> = {
  task: 'makes a task',
  running: 'keeps the agent at work for a while',
  asking: 'makes the agent ask for input',
  authorizing: 'makes the agent ask for an authorization',
  failing: 'makes a task fail',
  rejecting: 'makes the agent reject a task',
  replying: 'is answered by a mere message',
  chunks: 'makes a task with an artifact',
};

const FITTING: Readonly<Record<Situation, (finding: Finding) => boolean>> = {
  task: ({ came }) => came === 'completed',
  chunks: ({ came }) => came === 'completed',
  running: ({ came, milliseconds }) => came !== 'message' && came !== 'nothing' && milliseconds >= LONG_WORK_MS,
  asking: ({ came }) => came === 'input-required',
  authorizing: ({ came }) => came === 'auth-required',
  failing: ({ came }) => came === 'failed',
  rejecting: ({ came }) => came === 'rejected',
  replying: ({ came }) => came === 'message',
};

function choose(findings: readonly Finding[], situation: Situation): Prompt | undefined {
  const fitting = findings.filter(FITTING[situation]);
  if (situation === 'running') return byTime(fitting).at(-1)?.prompt;
  // An agent that makes no tasks of its own still shows most of what is about sending.
  if (situation === 'task') return (byTime(fitting)[0] ?? findings.find(FITTING.replying))?.prompt;
  return fitting[0]?.prompt;
}

function byTime(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => one.milliseconds - other.milliseconds);
}
