import type { ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server';
import { isPlainObject } from '../../../../model/basics/json.ts';

/** The extension by which calls become tasks since 2026-07-28. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The abilities of a client that matter here. */
export interface Abilities {
  /** It can ask its user by forms. */
  readonly forms: boolean;
  /** It can lead its user to a page. */
  readonly pages: boolean;
  /** It takes tasks instead of results (since 2026-07-28). */
  readonly tasks: boolean;
}

/** Since 2026-07-28 every request says what its client can do; before, the first one of the connection did. */
export function abilitiesOf(server: Server, ctx: ServerContext): Abilities {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = (envelope?.[CLIENT_CAPABILITIES] ?? server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined;
  const elicitation = declared?.elicitation;
  const extensions = (declared as { readonly extensions?: unknown } | undefined)?.extensions;
  return {
    // An empty declaration is an old one: it means forms.
    forms: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    pages: elicitation?.url !== undefined,
    tasks: envelope !== undefined && isPlainObject(extensions) && TASKS_EXTENSION in extensions,
  };
}
