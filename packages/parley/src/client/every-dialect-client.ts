import type { DialectDefinition } from '../dialects/definition.ts';
import { INFORMAL_DIALECTS } from '../dialects/informal-calling.ts';
import type { SkilledAgent } from '../model/extensions/skills.ts';
import type { Target } from './card/connection.ts';
import { A2AClient as OfficialClient, type SkilledClientOptions } from './client.ts';

export { PROTOCOL_NAMES } from '../dialects/informal-calling.ts';

/** Their calling halves alone: clients need no more. */
const INFORMAL: readonly DialectDefinition[] = INFORMAL_DIALECTS.map((calling) => ({ name: calling.name, calling }));

/**
 * Calls an agent, in whatever version or dialect and over whatever binding it speaks.
 *
 * @example
 * const agent = await A2AClient.connect('https://agent.example.com');
 * console.log(await agent.run('Analyze sales'));
 */
export class A2AClient<Agent extends SkilledAgent = SkilledAgent> extends OfficialClient<Agent> {
  /** Finds the card with the first call. `connect` does it at once. */
  constructor(target: Target, options: SkilledClientOptions<Agent> = {}) {
    super(target, { ...options, dialects: [...(options.dialects ?? []), ...INFORMAL] });
  }

  /** A client of the agent at an address, or of the agent that a card describes. */
  static override async connect<Agent extends SkilledAgent = SkilledAgent>(
    target: Target,
    options: SkilledClientOptions<Agent> = {},
  ): Promise<A2AClient<Agent>> {
    const client = new A2AClient<Agent>(target, options);
    await client.agentCard();
    return client;
  }

  /** The same client, for an agent whose type is known: `client.as<typeof reporter>()`. */
  override as<Other extends SkilledAgent>(): A2AClient<Other> {
    return this as unknown as A2AClient<Other>;
  }

  /**
   * A client of another agent, with the same settings. What the user entrusted to this one (credentials, headers,
   * interceptors, tools) goes along only to the card's own origin and to `allowedOrigins`.
   */
  override at(url: string | URL): A2AClient {
    return new A2AClient(url, this.settingsFor(url));
  }
}
