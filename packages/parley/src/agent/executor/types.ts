import type { AgentExtension, AgentProvider } from '../../model/card.ts';
import type { AgentDefinition } from '../agent.ts';

/**
 * An agent written for the official SDK (`@a2a-js/sdk`), of 1.x or 0.3. Told by its shape, so that the SDK need not be
 * there; its parameters are whatever the executor takes for them.
 */
export interface ExecutorLike {
  execute(requestContext: never, eventBus: never): Promise<void>;
  cancelTask?(taskId: string, eventBus: never): Promise<void>;
}

/** The generation of the official SDK that an executor was written for. */
export type ExecutorSdk = '1.x' | '0.3';

/** The definition of an agent with an executor, in the terms of Parley. */
export interface ExecutorAgentOptions extends Omit<AgentDefinition, 'run' | 'resumable'> {
  /** The SDK version whose request shape the executor expects. Parley reads events of either. Default: `1.x`. */
  readonly sdk?: ExecutorSdk | undefined;
}

export interface ExecutorSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[] | undefined;
  readonly inputModes?: readonly string[] | undefined;
  readonly outputModes?: readonly string[] | undefined;
}

/**
 * The card of the official SDK, of either generation. What it says about the agent is taken over. Addresses, bindings
 * and versions are the server's own.
 */
export interface ExecutorCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly skills: readonly ExecutorSkill[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly capabilities:
    | {
        readonly streaming?: boolean | undefined;
        readonly extensions?: readonly CardExtension[] | undefined;
      }
    | undefined;
  readonly provider?: AgentProvider | undefined;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  /** On cards of 0.3. */
  readonly protocolVersion?: string | undefined;
}

/** An extension as official cards declare it. */
export type CardExtension = Pick<AgentExtension, 'uri'> & {
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
};
