export { busContract } from './bus-contract/bus-contract.ts';
export type { BusEnds, OpenBus } from './bus-contract/bus-test-bed.ts';
export { type ClusterCheckOptions, checkCluster } from './cluster/check-cluster.ts';
export { type CheckLogOptions, type ClusterReport, checkClusterLog, type ReadClusterLog } from './cluster/check-log.ts';
export { type ClusterClientsOptions, type ClusterMessage, runClusterClients } from './cluster/cluster-clients.ts';
export type { ClusterCounts } from './cluster/counts.ts';
export type { ClusterFault, ClusterFinding } from './cluster/findings.ts';
export type { ClusterLog, ClusterLogEntry } from './cluster/log-entry.ts';
export { type RecordedOptions, readToEnd, recordedClient } from './cluster/recorded-client.ts';
export { type FakeAgent, type FakeAgentScript, fakeAgent } from './fake-agent.ts';
export type { FakeMessage, FakeResponse, FakeStep } from './fake-script.ts';
export type { FakeCall } from './fake-service.ts';
export { type Faults, type ForStreams, faulty } from './faulty.ts';
export { type A2AMatchers, type ArtifactShape, a2aMatchers, type Checked, type MatcherResult } from './matchers.ts';
export {
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type Recorder,
  type Recording,
  record,
} from './record.ts';
export { replay } from './replay.ts';
export type { OpenStore, StorePlace } from './store-contract/open-store.ts';
export type { ContractOptions, Expectation, TestRunner } from './store-contract/runner.ts';
export { storeContract } from './store-contract/store-contract.ts';
export { type LogEntry, TestAgent, type TestAgentOptions, testAgent } from './test-agent.ts';
export { settled, TestClock, type TestClockOptions } from './test-clock.ts';
