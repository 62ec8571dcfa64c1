import type { DescMessage, DescService } from '@bufbuild/protobuf';
import { isStreamOperation, type OperationName } from '../../model/operations.ts';
import { A2AService as ServiceV1_0 } from './gen/a2a/v1/a2a_pb.ts';
import { A2AService as ServiceV0_3 } from './gen/a2a_v03_pb.ts';

/** The versions that have a gRPC binding. */
export type GrpcVersion = '1.0' | '0.3';

/** One procedure: the operation that it carries, and its messages. */
export interface Rpc {
  readonly version: GrpcVersion;
  readonly name: string;
  /** E.g. `/lf.a2a.v1.A2AService/GetTask`. */
  readonly path: string;
  readonly operation: OperationName;
  readonly request: DescMessage;
  readonly response: DescMessage;
  readonly isStream: boolean;
}

interface GrpcService {
  readonly version: GrpcVersion;
  readonly descriptor: DescService;
  readonly rpcs: ReadonlyMap<OperationName, Rpc>;
}

/** The names of the operations (reference: v1-bindings §1). */
const NAMES_V1_0: Readonly<Record<OperationName, string>> = {
  sendMessage: 'SendMessage',
  sendStreamingMessage: 'SendStreamingMessage',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  subscribeToTask: 'SubscribeToTask',
  createPushConfig: 'CreateTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
  getExtendedCard: 'GetExtendedAgentCard',
};

/** Three have other names in 0.3, and tasks cannot be listed (reference: mapping §2). */
const NAMES_V0_3: Readonly<Partial<Record<OperationName, string>>> = {
  ...NAMES_V1_0,
  listTasks: undefined,
  subscribeToTask: 'TaskSubscription',
  listPushConfigs: 'ListTaskPushNotificationConfig',
  getExtendedCard: 'GetAgentCard',
};

export const GRPC_SERVICES: Readonly<Record<GrpcVersion, GrpcService>> = {
  '1.0': serviceOf('1.0', ServiceV1_0, NAMES_V1_0),
  '0.3': serviceOf('0.3', ServiceV0_3, NAMES_V0_3),
};

function serviceOf(
  version: GrpcVersion,
  descriptor: DescService,
  names: Readonly<Partial<Record<OperationName, string>>>,
): GrpcService {
  const rpcs = new Map<OperationName, Rpc>();
  for (const [key, name] of Object.entries(names)) {
    if (name === undefined) continue;
    const method = descriptor.methods.find((known) => known.name === name);
    if (!method) throw new TypeError(`${descriptor.typeName} has no ${name}`);
    const operation = key as OperationName;
    rpcs.set(operation, {
      version,
      name,
      path: `/${descriptor.typeName}/${name}`,
      operation,
      request: method.input,
      response: method.output,
      isStream: isStreamOperation(operation),
    });
  }
  return { version, descriptor, rpcs };
}
