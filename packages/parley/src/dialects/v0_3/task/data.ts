import { isPlainObject, type JsonObject, type JsonValue } from '../../../model/basics/json.ts';
import type { DataPart } from '../../../model/task.ts';

/** The marker in a data part's metadata that deployed adapters use (reference: mapping §4). */
const WRAPPED = 'data_part_compat';

/** The content of a data part as 0.3 can carry it: an object. */
interface WireData {
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** Data that is not an object goes under `value`, and the metadata says so. */
export function wrapData({ data, metadata }: DataPart): WireData {
  if (isJsonObject(data)) return { data, metadata };
  return { data: { value: data }, metadata: { ...metadata, [WRAPPED]: true } };
}

export function unwrapData(data: JsonObject, metadata: JsonObject | undefined): DataPart {
  if (metadata?.[WRAPPED] !== true || data.value === undefined) return { kind: 'data', data, metadata };
  const { [WRAPPED]: _, ...rest } = metadata;
  return { kind: 'data', data: data.value, metadata: Object.keys(rest).length > 0 ? rest : undefined };
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isPlainObject(value);
}
