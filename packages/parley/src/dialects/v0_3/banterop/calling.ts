import { A2AError } from '../../../model/errors/errors.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import { callV0_3 } from '../calling/index.ts';
import { isSend } from './errors.ts';

/** Callers speak the official 0.3; what answers is read as that, but for the one error. */
export const callBanterop: CallingDialect = {
  ...callV0_3,
  name: 'banterop',
  decodeError: (received, operation) => {
    const error = callV0_3.decodeError(received, operation);
    if (error.code !== 'TASK_NOT_CANCELABLE' || !isSend(operation)) return error;
    const { message, metadata, violations } = error;
    return new A2AError('UNSUPPORTED_OPERATION', message, { metadata, violations });
  },
};
