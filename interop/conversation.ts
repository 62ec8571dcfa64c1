import { type Binding, type Calling, type Hosting, NotOffered, type Version } from './calling.ts';
import { type KnownDifference, knownDifference } from './known.ts';
import type { Column, Result } from './matrix.ts';
import { ourClient, ourServer } from './our-side.ts';
import type { PeerProcess } from './peer.ts';
import { peerClient, peerServer } from './peer-calling.ts';
import type { Peer } from './peers.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { quiet, type Role, type Scenario, type Stage } from './scenarios/scenario.ts';

/** A scenario takes well below a second; what takes this long hangs. */
const LONGEST_MS = 30_000;

/** Goes through all scenarios with one peer in one role. */
export async function converse(
  peer: Peer,
  process: PeerProcess,
  role: Role,
  version: Version,
  binding: Binding,
  scenarios: readonly Scenario[] = SCENARIOS,
): Promise<Column> {
  const results = new Map<string, Result>();
  const cell = { peer: peer.name, role, version, binding };
  const { host, close } = await hosted(process, role, version, binding);
  try {
    let caller: Calling | undefined;
    let failure: unknown;
    try {
      caller = await (role === 'client'
        ? peerClient(process, peer.form, host.url, version, binding)
        : ourClient(host.url, version, binding));
    } catch (error) {
      failure = error;
    }
    for (const scenario of scenarios) {
      const stage = caller && { caller, host, version, role };
      const result = stage ? await resultOf(scenario, stage) : differs(failure);
      results.set(scenario.name, judged(result, knownDifference(cell, scenario.name)));
    }
  } finally {
    await close();
  }
  return { ...cell, results };
}

async function hosted(
  process: PeerProcess,
  role: Role,
  version: Version,
  binding: Binding,
): Promise<{ readonly host: Hosting; readonly close: () => Promise<void> }> {
  if (role === 'server') return { host: await peerServer(process, version, binding), close: async () => {} };
  const host = await ourServer();
  return { host, close: () => host.close() };
}

async function resultOf(scenario: Scenario, stage: Stage): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it hangs: not over after ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  try {
    await Promise.race([quiet(scenario.run(stage)), late]);
    return { kind: 'ok' };
  } catch (error) {
    return error instanceof NotOffered ? { kind: 'not offered', reason: error.message } : differs(error);
  } finally {
    clearTimeout(timer);
  }
}

function differs(error: unknown): Result {
  return { kind: 'differs', reason: error instanceof Error ? error.message : String(error) };
}

/** What was expected to differ and does is as it should be; what was and does not is a surprise too. */
function judged(result: Result, entry: KnownDifference | undefined): Result {
  if (!entry) return result;
  const { reason, isMissing, isSometimes } = entry;
  if (result.kind === 'differs') return { kind: isMissing ? 'not offered' : 'known', reason };
  if (isSometimes) return result;
  return { kind: 'differs', reason: `this works, although interop/known.ts says: ${reason}` };
}
