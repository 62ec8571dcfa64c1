import type { CallingDialect } from '../../../dialects/calling/calling.ts';
import { restOf } from '../../../dialects/calling/spoken.ts';
import type { FileHabits } from '../../../dialects/file-encoding.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  UnaryOperationName,
} from '../../../model/operations.ts';
import type { StreamEvent } from '../../../model/task.ts';
import { GRPC_SERVICES, type Rpc } from '../services.ts';

/** The words of one version over gRPC. Requests and responses are the ProtoJSON of its messages. */
interface GrpcForms {
  readonly rpcs: ReadonlyMap<OperationName, Rpc>;
  readonly encodeRequest: <Name extends OperationName>(operation: Name, input: OperationInputs[Name]) => unknown;
  readonly decodeResult: <Name extends UnaryOperationName>(
    operation: Name,
    result: unknown,
    input: OperationInputs[Name],
  ) => OperationResults[Name];
  readonly decodeEvent: (event: unknown) => StreamEvent;
}

/** @param habits how the server is known to encode files, for 0.3 */
export function formsOf(dialect: CallingDialect, habits: FileHabits): GrpcForms {
  return dialect.version === '0.3' ? formsOf0_3(dialect, habits) : formsOf1_0(dialect);
}

/** In 1.0 the ProtoJSON is that of JSON-RPC. */
function formsOf1_0({ encodeRequest, decodeResult, decodeEvent }: CallingDialect): GrpcForms {
  return {
    rpcs: GRPC_SERVICES['1.0'].rpcs,
    encodeRequest: (operation, input) => encodeRequest[operation](input),
    decodeResult: (operation, result, input) => decodeResult[operation](result, input),
    decodeEvent,
  };
}

/** In 0.3 it is that of HTTP+JSON, with resource names where that has paths (reference: v03 §9). */
function formsOf0_3(dialect: CallingDialect, habits: FileHabits): GrpcForms {
  const plain = restOf(dialect);
  const rest = plain?.withFiles?.(habits) ?? plain;
  if (!rest) throw new A2AError('UNSUPPORTED_OPERATION', `A2A ${dialect.version} is not spoken over gRPC here`);
  return {
    rpcs: GRPC_SERVICES['0.3'].rpcs,
    encodeRequest: (operation, input) => ({
      ...(rest.encodeRequest[operation](input).body as object | undefined),
      ...NAMES_0_3[operation]?.(input as never),
    }),
    decodeResult: (operation, result, input) => withoutHistory(rest.decodeResult[operation](result, input), input),
    decodeEvent: rest.decodeEvent,
  };
}

/** No history cannot be asked for: 0 is as good as not set, and gets all of it (reference: mapping §7). */
function withoutHistory<Result>(result: Result, input: object): Result {
  const isUnwanted = 'historyLength' in input && input.historyLength === 0;
  const hasHistory = typeof result === 'object' && result !== null && 'history' in result;
  return isUnwanted && hasHistory ? { ...result, history: [] } : result;
}

const configName = ({ taskId, id }: OperationInputs['getPushConfig']) => ({
  name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
});

/** The members of requests that are part of the path, or of the query, over HTTP+JSON. */
const NAMES_0_3: { readonly [Name in OperationName]?: (input: OperationInputs[Name]) => object } = {
  getTask: ({ id, historyLength }) => ({ name: `tasks/${id}`, historyLength }),
  cancelTask: ({ id }) => ({ name: `tasks/${id}` }),
  subscribeToTask: ({ id }) => ({ name: `tasks/${id}` }),
  getPushConfig: configName,
  deletePushConfig: configName,
  listPushConfigs: ({ taskId, pageSize, pageToken }) => ({ parent: `tasks/${taskId}`, pageSize, pageToken }),
};
