import { text, textOf } from '../../model/parts.ts';
import { isTask, type Message, type Part, type Task } from '../../model/task.ts';

/**
 * The result without what its task had before the call: a call that answers a question returns what came of the answer. An
 * artifact that has become something else is new as a whole.
 */
export function newSince(result: Task | Message, before: Task | undefined): Task | Message {
  if (!before || !isTask(result)) return result;
  const known = new Map(before.artifacts.map(({ artifactId, parts }) => [artifactId, parts]));
  const artifacts = result.artifacts.map((artifact) => {
    const earlier = known.get(artifact.artifactId);
    return earlier ? { ...artifact, parts: newParts(artifact.parts, earlier) } : artifact;
  });
  return { ...result, artifacts };
}

function newParts(parts: readonly Part[], earlier: readonly Part[]): readonly Part[] {
  const [whole, known] = [textOf(parts), textOf(earlier)];
  const [files, knownFiles] = [parts, earlier].map((list) => list.filter(({ kind }) => kind !== 'text'));
  if (!whole.startsWith(known) || !files || !knownFiles || files.length < knownFiles.length) return parts;
  const more = whole.slice(known.length);
  return [...(more === '' ? [] : [text(more)]), ...files.slice(knownFiles.length)];
}
