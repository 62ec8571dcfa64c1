import { isPlainObject, type JsonObject } from '../../../model/basics/json.ts';
import { TOOLS_EXTENSION } from '../../../model/extensions/caller-tools.ts';
import type { Artifact, Message, Part } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import { type WireArtifact, withDescription } from '../task/artifacts.ts';
import { encodePart as encodeOfficialPart, readPart as readOfficialPart, type WirePart } from '../task/parts.ts';

/** A tool that the client is to run, and what came of it: parts of their own here, data in the model (seed S0). */
const TOOL_KINDS: ReadonlySet<unknown> = new Set(['tool-use', 'tool-result']);

interface WireToolPart extends JsonObject {
  readonly kind: string;
}

export function readPart(members: Members): Part {
  const kind = members.value('kind');
  if (!TOOL_KINDS.has(kind)) return readOfficialPart(members);
  members.requiredText('toolUseId', 'tool_use_id');
  const names = members.names().filter((name) => name !== 'metadata');
  const data = Object.fromEntries(names.map((name) => [name, members.json(name)]));
  return { kind: 'data', data, metadata: members.struct('metadata') };
}

/** `asks`: the message that the part is of asks for a tool under our own extension. */
export function encodePart(part: Part, asks = false): WirePart {
  const tool = part.kind === 'data' ? toolPartOf(part.data, asks) : undefined;
  if (!tool) return encodeOfficialPart(part);
  return (part.metadata === undefined ? tool : { ...tool, metadata: part.metadata }) as unknown as WirePart;
}

export function encodeParts({ parts, extensions }: Message): WirePart[] {
  const asks = extensions?.includes(TOOLS_EXTENSION) === true;
  return parts.map((part) => encodePart(part, asks));
}

export function encodeArtifact(artifact: Artifact): WireArtifact {
  const parts = artifact.parts.map((part) => encodePart(part));
  return withDescription({ artifactId: artifact.artifactId, parts }, artifact);
}

function toolPartOf(data: unknown, asks: boolean): WireToolPart | undefined {
  if (!isPlainObject(data)) return undefined;
  if (TOOL_KINDS.has(data.kind)) return data as WireToolPart;
  const isUse = asks && typeof data.toolUseId === 'string' && typeof data.name === 'string';
  return isUse ? ({ kind: 'tool-use', ...data } as WireToolPart) : undefined;
}
