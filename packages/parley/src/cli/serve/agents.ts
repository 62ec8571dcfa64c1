import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../../agent/agent.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import { moduleProblem } from './module-problem.ts';

/** Loads the files and returns all agents that they export, and those that a program has given itself. */
export async function loadAgents(files: readonly (string | Agent)[], cwd: string): Promise<readonly Agent[]> {
  const agents: Agent[] = [];
  for (const file of files) {
    if (typeof file !== 'string') {
      add(agents, file);
      continue;
    }
    const path = resolve(cwd, file);
    if (!existsSync(path))
      throw new CommandError(`There is no file ${file}; give the path of a module`, EXIT.usage, 'USAGE');
    if (statSync(path).isDirectory())
      throw new CommandError(`${file} is a folder; give the path of a module`, EXIT.usage, 'USAGE');
    if (/\.json$/i.test(file)) {
      const advice = 'give the module that exports them; --config FILE names settings';
      throw new CommandError(`${file} has data, no agents; ${advice}`, EXIT.usage, 'USAGE');
    }
    const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href).catch((error: unknown) => {
      throw moduleProblem(error, file, cwd);
    });
    const found = agentsIn(module);
    if (found.length === 0) {
      const advice = 'export one that defineAgent made, e.g. export const hello = defineAgent({ … })';
      throw new CommandError(`${file} exports no agent; ${advice}`, EXIT.usage, 'USAGE');
    }
    for (const agent of found) add(agents, agent);
  }
  return agents;
}

function add(agents: Agent[], agent: Agent): void {
  const other = agents.find(({ name }) => name === agent.name);
  if (other && other !== agent) throw new CommandError(`Two agents are called ${agent.name}; give one another name`);
  if (!other) agents.push(agent);
}

/**
 * The default export first, then lists and records, which are in the author's order, then the rest, which are in the
 * order of the alphabet.
 */
export function agentsIn(module: Readonly<Record<string, unknown>>): readonly Agent[] {
  const { default: main, ...named } = module;
  const others = Object.values(named);
  const all = [main, ...others.filter((value) => !isAgent(value)), ...others.filter(isAgent)].flatMap(members);
  return [...new Set(all)];
}

function members(value: unknown): readonly Agent[] {
  if (isAgent(value)) return [value];
  if (Array.isArray(value)) return value.filter(isAgent);
  return isPlainObject(value) && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).filter(isAgent)
    : [];
}

/** Recognizes an agent of `defineAgent` by its shape: a module may have it from another copy of this package. */
function isAgent(value: unknown): value is Agent {
  return (
    isPlainObject(value) &&
    typeof value.name === 'string' &&
    typeof value.description === 'string' &&
    typeof value.version === 'string' &&
    typeof value.run === 'function' &&
    Array.isArray(value.skills) &&
    Array.isArray(value.inputModes)
  );
}
