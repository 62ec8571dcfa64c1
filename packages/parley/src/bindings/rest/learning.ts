import type { CallingDialect, CallingRest } from '../../dialects/calling/calling.ts';
import { restOf } from '../../dialects/calling/spoken.ts';
import { checkFileEncoding, FILES_HEADER, FileHabits } from '../../dialects/file-encoding.ts';
import { type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import type { ClientBinding } from '../binding.ts';
import type { BindingCaller, BindingCallerOptions } from '../caller.ts';
import { restCaller } from './client.ts';
import { HTTP_JSON } from './name.ts';

/**
 * HTTP+JSON that learns the habits of servers of 0.3: how they encode files and in which form they take webhooks.
 * The client of `parley-a2a` has it; one of `parley-a2a/client` is handed it: `bindings: [httpJson]`.
 */
export const httpJson: ClientBinding = {
  protocolBinding: HTTP_JSON,
  open: (options) => learningCaller(options, habitsOf(options)),
};

/** Calls in the way that the server is known to encode files; its responses teach more of it. */
export function learningCaller(options: BindingCallerOptions, habits: FileHabits): BindingCaller {
  const { dialect } = options;
  const rest = restOf(dialect)?.withFiles?.(habits);
  if (!rest) return restCaller(options);
  const settings: BindingCallerOptions = {
    ...options,
    fileEncoding: undefined,
    dialect: { ...dialect, rest },
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      if (init?.body) for (const [name, value] of Object.entries(habits.headers)) headers.set(name, value);
      const response = await options.fetch(url, { ...init, headers });
      habits.notice(response.headers.get(FILES_HEADER));
      return response;
    },
  };
  const caller = restCaller(settings);
  return {
    stream: (operation, input, call) => caller.stream(operation, input, call),
    async unary(operation, input, call) {
      try {
        return await caller.unary(operation, input, call);
      } catch (error) {
        const { otherBody } = rest.encodeRequest[operation](input);
        if (otherBody === undefined || !isA2AError(error) || !NOT_UNDERSTOOD.includes(error.code)) throw error;
        const other = restCaller({ ...settings, dialect: withOtherBodies(dialect, rest) });
        return other.unary(operation, input, call).catch(() => {
          throw error;
        });
      }
    },
  };
}

const NOT_UNDERSTOOD: readonly A2AErrorCode[] = ['INVALID_PARAMS', 'INVALID_REQUEST', 'PARSE_ERROR'];

/** The dialect in the form that other servers take. */
function withOtherBodies(dialect: CallingDialect, rest: CallingRest): CallingDialect {
  const { createPushConfig } = rest.encodeRequest;
  const inOtherForm: typeof createPushConfig = (input) => {
    const { otherBody, ...request } = createPushConfig(input);
    return { ...request, body: otherBody };
  };
  return { ...dialect, rest: { ...rest, encodeRequest: { ...rest.encodeRequest, createPushConfig: inOtherForm } } };
}

/** The habits of the interface's server: they hold for all later calls of the client. */
function habitsOf({ kept, fileEncoding, isOurs }: BindingCallerOptions): FileHabits {
  const known = kept?.get(HTTP_JSON);
  if (known instanceof FileHabits) return known;
  checkFileEncoding(fileEncoding);
  const habits = new FileHabits(fileEncoding, isOurs);
  kept?.set(HTTP_JSON, habits);
  return habits;
}
