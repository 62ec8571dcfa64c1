import type { CompleteDialect } from '../../definition.ts';
import { callCogitator } from './calling.ts';
import { cogitator as serving } from './index.ts';

/** The variant of 0.3 that seed S3 has. */
export const cogitator: CompleteDialect = { name: 'cogitator', serving, calling: callCogitator };
