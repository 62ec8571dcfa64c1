import type { AgentCard } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { fromExecutor } from 'parley-a2a';
import { startOfficial } from '../client/support/official.ts';
import { addressOf, listening } from '../interop/support/sdk.ts';
import { type Caller, parleyCaller, sdkCaller } from './seen.ts';

/** A card as the official SDK has it. */
export const CARD: AgentCard = {
  name: 'Movie Agent',
  description: 'Knows films',
  version: '2.1.0',
  supportedInterfaces: [
    { url: 'https://movies.example.com/rpc', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
  ],
  provider: { organization: 'Films', url: 'https://films.example.com' },
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text'],
  defaultOutputModes: ['text', 'image/png'],
  skills: [
    {
      id: 'find',
      name: 'Find films',
      description: 'Finds films',
      tags: [],
      examples: ['Who played in it?'],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
};

export const CALLERS = [
  ['the SDK’s client', sdkCaller],
  ['Parley’s client', parleyCaller],
] as const satisfies readonly (readonly [string, (url: string) => Promise<Caller>])[];

export async function onOfficial(executor: AgentExecutor): Promise<string> {
  return (await startOfficial(0, executor)).url;
}

export async function onParley(executor: AgentExecutor): Promise<string> {
  return addressOf((await listening(fromExecutor(executor, CARD))).server);
}
