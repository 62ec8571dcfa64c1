import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { CommandError } from '../show/problems.ts';
import { clean } from '../text/clean.ts';
import { type Attachment, contentOf } from './attachments.ts';

const LONGEST_NAME = 120;
const MOST_OF_A_NAME = 10_000;

/** A name without a way out of the folder: the last part of a path, nothing hidden, nothing that terminals mind. */
function safeName(name: string): string {
  const last = clean(name).split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/[<>:"|?*\n\t\u2400-\u2421\ufffd]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/(?<![.\s])[.\s]+$/, '');
  if (plain === '') return 'file';
  const extension = extname(plain).slice(0, 16);
  return plain.length <= LONGEST_NAME ? plain : plain.slice(0, LONGEST_NAME - extension.length) + extension;
}

interface Saved {
  readonly attachment: Attachment;
  readonly path: string;
}

/** Writes attachments into a folder. What is there already is never overwritten: the new one gets a number. */
export function saveAll(attachments: readonly Attachment[], folder: string, shownAs: string): readonly Saved[] {
  const saved: Saved[] = [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const attachment of attachments) {
      const content = contentOf(attachment.part);
      if (content) saved.push({ attachment, path: join(shownAs, write(folder, safeName(attachment.name), content)) });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Cannot write to ${shownAs}: ${reason}; choose another folder with --output`);
  }
  return saved;
}

function write(folder: string, name: string, content: Uint8Array): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; number <= MOST_OF_A_NAME; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${extension}`;
    try {
      // `x`: fails where anything is there, a link that leads elsewhere included.
      writeFileSync(join(folder, candidate), content, { flag: 'wx' });
      return candidate;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  throw new Error(`there are too many files called ${name}`);
}
