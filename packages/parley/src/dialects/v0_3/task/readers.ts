import { type Readers, type Vocabulary, readersOf as wireReadersOf } from '../../wire/readers.ts';

export type { Readers };

/** The readers of replies in a form of 0.3, whose proto has other names for two members (reference: v03 §9). */
export function readersOf(vocabulary: Omit<Vocabulary, 'messageAlias' | 'statusMessageAlias'>): Readers {
  return wireReadersOf({ ...vocabulary, messageAlias: 'msg', statusMessageAlias: 'update' });
}
