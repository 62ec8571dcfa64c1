import { CALLING_DIALECTS } from '../../dialects/calling-dialects.ts';
import { checkFileEncoding, FileHabits } from '../../dialects/file-encoding.ts';
import type { ClientBinding } from '../binding.ts';
import type { BindingCallerOptions } from '../caller.ts';
import { restCaller } from './client.ts';
import { HTTP_JSON } from './name.ts';

/**
 * HTTP+JSON as clients speak it, in 1.0 and 0.3. The client of `parley-a2a` has it; one of `parley-a2a/client` is handed it,
 * where agents offer nothing else: `bindings: [httpJson]`.
 */
export const httpJson: ClientBinding = {
  protocolBinding: HTTP_JSON,
  open: (options) => {
    const { version, rest } = options.dialect;
    const complete = 'encodeRequest' in rest ? undefined : CALLING_DIALECTS.find((one) => one.version === version);
    return restCaller({ ...options, dialect: complete ?? options.dialect, files: habitsOf(options) });
  },
};

/** The habits of the interface's server: they are learnt from its responses and hold for all later calls of the client. */
function habitsOf({ files, kept, fileEncoding, isOurs }: BindingCallerOptions): FileHabits {
  const known = files ?? kept?.get(HTTP_JSON);
  if (known instanceof FileHabits) return known;
  checkFileEncoding(fileEncoding);
  const habits = new FileHabits(fileEncoding, isOurs);
  kept?.set(HTTP_JSON, habits);
  return habits;
}
