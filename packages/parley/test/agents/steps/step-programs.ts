import fc from 'fast-check';
import { type Agent, defineAgent, json, type TaskContext, text } from 'parley-a2a';

/** One thing that a run does. Texts are tokens, each of which a program has once. */
export type Operation =
  | { readonly do: 'stream' | 'separate' | 'data'; readonly to: string; readonly token: string }
  | { readonly do: 'end'; readonly to: string }
  | { readonly do: 'status'; readonly token: string }
  | { readonly do: 'step' | 'failing step' | 'retried step'; readonly name: string; readonly token: string }
  | { readonly do: 'pause' }
  | { readonly do: 'ask'; readonly token: string }
  | { readonly do: 'call'; readonly token: string }
  | { readonly do: 'parallel'; readonly branches: readonly (readonly Operation[])[] };

export type Program = readonly Operation[];

/** The artifact that is meant by no id. */
export const DEFAULT = '';

type Draft = (token: () => string, branch: string) => Operation;

const artifact = fc.constantFrom(DEFAULT, 'a', 'b');
const output: fc.Arbitrary<Draft> = fc
  .tuple(fc.constantFrom('stream', 'stream', 'stream', 'separate', 'data'), artifact)
  .map(
    ([kind, to]) =>
      (token, branch) =>
        ({ do: kind, to: to === DEFAULT ? to : to + branch, token: token() }) as Operation,
  );
const step: fc.Arbitrary<Draft> = fc
  .tuple(fc.constantFrom('step', 'step', 'failing step', 'retried step'), fc.constantFrom('fetch', 'book'))
  .map(
    ([kind, name]) =>
      (token, branch) =>
        ({ do: kind, name: name + branch, token: token() }) as Operation,
  );
const small: fc.Arbitrary<Draft>[] = [
  output,
  output,
  step,
  fc.constant((token) => ({ do: 'status', token: token() })),
  artifact.map((to) => (_, branch) => ({ do: 'end', to: to === DEFAULT ? `c${branch}` : to + branch })),
  fc.constant(() => ({ do: 'pause' })),
  fc.constant((token) => ({ do: 'call', token: token() })),
];
const branch = fc.array(fc.oneof(...small), { minLength: 1, maxLength: 4 });
const ask: fc.Arbitrary<Draft> = fc.constant((token) => ({ do: 'ask', token: token() }));
/** What comes before a question is recorded: a resumed run comes to its questions in the same order. */
const askingBranch = fc.array(fc.oneof(output, step, ask, ask), { minLength: 1, maxLength: 4 });
const parallel: fc.Arbitrary<Draft> = fc
  .oneof(fc.array(branch, { minLength: 2, maxLength: 3 }), fc.array(askingBranch, { minLength: 2, maxLength: 3 }))
  .map((branches) => (token, at) => {
    // Names are counted as they come, which is not the same for branches: each has names of its own.
    const built = branches.map((drafts, index) =>
      drafts.map((draft) => draft(token, `${at}-${index}${token()}`.slice(0, 9))),
    );
    return { do: 'parallel', branches: built };
  });

export const programs: fc.Arbitrary<Program> = fc
  .array(fc.oneof(...small, ask, parallel), { minLength: 1, maxLength: 9, size: 'max' })
  .map((drafts) => {
    let tokens = 0;
    const token = () => {
      tokens += 1;
      return `<${tokens}>`;
    };
    return drafts.map((draft) => draft(token, ''));
  });

export function isParallel(program: Program): boolean {
  return program.some((operation) => operation.do === 'parallel');
}

/** Called for each thing that is really done; never settles in a process that is dead. */
export type Effect = (key: string) => Promise<void>;

/** An agent that does what its program says. */
export function programAgent(name: string, program: Program, effect: Effect, child?: Agent): Agent {
  return defineAgent({
    name,
    description: 'Does what a test says',
    version: '1.0.0',
    resumable: true,
    run: (task) => perform(task, program, effect, child),
  });
}

async function perform(task: TaskContext, program: Program, effect: Effect, child: Agent | undefined): Promise<void> {
  for (const operation of program) {
    switch (operation.do) {
      case 'stream':
      case 'separate':
      case 'data':
        await write(task, operation.to, outputOf(operation.do, operation.token));
        break;
      case 'end':
        await task.artifact({ artifactId: operation.to, name: `The ${operation.to}` }).end();
        break;
      case 'status':
        await task.status(operation.token);
        break;
      case 'step':
      case 'retried step':
      case 'failing step':
        await task.write(await stepOf(task, operation, effect));
        break;
      case 'pause':
        await new Promise((resolve) => setImmediate(resolve));
        break;
      case 'ask':
        await task.write(`${operation.token}${await task.ask(operation.token)}`);
        break;
      case 'call':
        if (!child) break;
        for await (const piece of task.call(child, operation.token).textStream) await task.write(piece);
        break;
      case 'parallel':
        await Promise.all(operation.branches.map((one) => perform(task, one, effect, child)));
        break;
      default:
        return operation satisfies never;
    }
  }
}

function write(task: TaskContext, to: string, content: ReturnType<typeof outputOf>): Promise<void> {
  return to === DEFAULT ? task.write(content) : task.artifact({ artifactId: to, name: `The ${to}` }).write(content);
}

function outputOf(kind: 'stream' | 'separate' | 'data', token: string) {
  if (kind === 'stream') return token;
  return kind === 'separate' ? text(token) : json({ token });
}

async function stepOf(
  task: TaskContext,
  { do: kind, name, token }: Extract<Operation, { name: string }>,
  effect: Effect,
): Promise<string> {
  try {
    return await task.step(
      name,
      async ({ idempotencyKey, attempt }) => {
        if (kind === 'retried step' && attempt === 1) throw new Error('Not yet');
        await effect(idempotencyKey);
        if (kind === 'failing step') throw new RangeError(`failed ${token}`);
        return token;
      },
      kind === 'retried step' ? { retry: { attempts: 2, firstDelay: 1 } } : {},
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'RangeError') throw error;
    return `(${error.message})`;
  }
}
