import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextChunkTemplate } from '../../../src/bindings/sse/text-chunks.ts';
import { OFFERED_DIALECTS } from '../../../src/dialects/detect.ts';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import type { Artifact } from '../../../src/model/task.ts';

const FORMS: readonly Dialect[] = OFFERED_DIALECTS.flatMap((dialect) => [
  dialect,
  dialect.rest.dialectFor({ verb: 'POST', body: { message: { content: [] } }, place: 'agent' }),
  dialect.rest.dialectFor({ verb: 'POST', body: { message: { parts: [] } }, place: 'agent' }),
]);

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });

describe.each(FORMS.map((dialect) => [dialect.name, dialect] as const))('pieces of text in %s', (_, dialect) => {
  const encoder = (taskId: string, contextId: string) => (artifact: Artifact) =>
    JSON.stringify(
      dialect.encodeEvent({ kind: 'artifact', taskId, contextId, artifact, append: true, lastChunk: false }),
    );

  it('are written as the dialect itself would write them [rule:stream.chunks]', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(name, name, name, text, (taskId, contextId, artifactId, piece) => {
        const encode = encoder(taskId, contextId);
        const template = new TextChunkTemplate(artifactId, encode);
        expect(template.write(piece)).toBe(encode({ artifactId, parts: [{ kind: 'text', text: piece }] }));
      }),
    );
  });

  it('are left to the dialect where an id looks like the place of the text', () => {
    const mark = '\u0000text\u0000';
    expect(new TextChunkTemplate('a', encoder('task', mark)).write('piece')).toBeUndefined();
  });
});
