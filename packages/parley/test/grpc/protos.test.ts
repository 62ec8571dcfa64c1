import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescField, DescFile } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { file_a2a_v1_a2a as V1_0 } from '../../src/bindings/grpc/gen/a2a/v1/a2a_pb.ts';
import { file_a2a_v03 as V0_3 } from '../../src/bindings/grpc/gen/a2a_v03_pb.ts';
import { ROOT } from '../setup/support/repository.ts';
import { filesUnder } from '../setup/support/workspace-copy.ts';
import { tempFile } from '../support/temp-folder.ts';

const reference = (page: string) => readFileSync(join(ROOT, 'docs/reference', page), 'utf8');

describe('the .proto files say what the reference says', () => {
  it('1.0: every field has its name, number, type and presence', () => {
    const fields = [
      ...beginningOf(reference('v1-data-model.md'), '## Validity rules').matchAll(
        /^#### (\w+)$|^\| `(\w+)` \| `(\w+)` \| (\d+) \| `([^`]+)` \| ([^|]+) \|/gm,
      ),
    ];
    let message = '';
    const expected: string[] = [];
    for (const [, heading, name, jsonName, number, type, presence] of fields) {
      if (heading !== undefined) message = heading;
      else expected.push(`${message}.${name} ${jsonName} ${number} ${type} ${presenceIn(presence ?? '')}`);
    }
    expect(expected).toHaveLength(176);
    expect(describeFile(V1_0)).toEqual(expected);
  });

  it('0.3: every field has its name, number and type', () => {
    const [, page = ''] = reference('v03.md').split('## 9. gRPC transport');
    const expected: string[] = [];
    for (const [, message, fields = ''] of beginningOf(page, '\n## 10').matchAll(
      /^\| `(\w+)` \| (`\w+ = \d+`.*) \|$/gm,
    )) {
      for (const [, name, number, list, type] of fields.matchAll(
        /`(\w+) = (\d+)` (repeated )?(map<[^>]+>|[\w.]*\w)/g,
      )) {
        expected.push(`${message}.${name} ${number} ${list ?? ''}${type}`);
      }
    }
    const later = ['Part.metadata 4 google.protobuf.Struct', 'FilePart.name 4 string', 'AgentCard.icon_url 18 string'];
    const ours = V0_3.messages.flatMap(({ name, fields }) =>
      fields.map(
        (field) =>
          `${name}.${field.name} ${field.number} ${field.fieldKind === 'list' ? 'repeated ' : ''}${typeOf(field)}`,
      ),
    );
    expect(ours.toSorted()).toEqual([...expected, ...later].toSorted());
  });

  it.each([
    ['1.0', V1_0, 'v1-data-model.md', 11],
    ['0.3', V0_3, 'v03.md', 10],
  ] as const)('%s: the service has its procedures', (_, file, page, count) => {
    const [service] = file.services;
    const rows = [...reference(page).matchAll(/^\| `(\w+)` \| `([\w.]+)` \| `([\w.]+)` \| (no|yes|\*\*yes\*\*) \|$/gm)];
    const expected = rows.map(([, name, input, output, streamed]) => `${name} ${input} ${output} ${streamed !== 'no'}`);
    const ours = service?.methods.map(
      ({ name, input, output, methodKind }) =>
        `${name} ${shortName(input.typeName)} ${shortName(output.typeName)} ${methodKind === 'server_streaming'}`,
    );
    expect(expected).toHaveLength(count);
    expect(ours).toEqual(expected);
  });

  it('the two versions have different names of the canceled state [rule:v03.rest-cancelled]', () => {
    const nameOf = (file: DescFile) => file.enums.find(({ name }) => name === 'TaskState')?.value[5]?.name;
    expect([nameOf(V1_0), nameOf(V0_3)]).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_CANCELLED']);
  });
});

describe('generated code', () => {
  it('is what `npm run grpc:gen` makes', () => {
    const folder = join(ROOT, 'packages/parley/src/bindings/grpc');
    const out = tempFile('out');
    const bin = join(ROOT, 'node_modules/.bin');
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, BUF_CACHE_DIR: tempFile('cache') };
    execFileSync(join(bin, 'buf'), ['generate', '--output', out], { cwd: folder, env });
    const made = filesUnder(join(out, 'gen'));
    expect(made).toEqual(filesUnder(join(folder, 'gen')));
    for (const file of made) {
      expect(readFileSync(join(out, 'gen', file), 'utf8'), file).toBe(readFileSync(join(folder, 'gen', file), 'utf8'));
    }
  });
});

function beginningOf(text: string, until: string): string {
  return text.split(until)[0] ?? '';
}

function describeFile({ messages }: DescFile): string[] {
  return messages.flatMap(({ name, fields }) =>
    fields.map(
      (field) => `${name}.${field.name} ${field.jsonName} ${field.number} ${typeOf(field)} ${presenceOf(field)}`,
    ),
  );
}

function presenceIn(text: string): string {
  const [, oneof] = /oneof `(\w+)`/.exec(text) ?? [];
  if (oneof !== undefined) return oneof;
  if (text.includes('repeated')) return 'list';
  return text.includes('explicit') ? 'optional' : '';
}

function presenceOf(field: DescField): string {
  if (field.oneof) return field.oneof.name;
  if (field.fieldKind === 'list') return 'list';
  return field.fieldKind !== 'message' && field.presence === 1 ? 'optional' : '';
}

const SCALARS: Readonly<Record<number, string>> = { 5: 'int32', 8: 'bool', 9: 'string', 12: 'bytes' };

function typeOf(field: DescField): string {
  const message = 'message' in field ? field.message : undefined;
  const enumeration = 'enum' in field ? field.enum : undefined;
  const scalar = 'scalar' in field ? SCALARS[field.scalar ?? 0] : undefined;
  const type = message || enumeration ? shortName((message ?? enumeration)?.typeName ?? '') : (scalar ?? '');
  return field.fieldKind === 'map' ? `map<string, ${type}>` : type;
}

function shortName(typeName: string): string {
  return typeName.replace(/^(lf\.)?a2a\.v1\./, '');
}
