import type { AgentCard, Artifact, Part, Message as SdkMessage, Task as SdkTask } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { type Agent, fromExecutor } from 'parley-a2a';
import type { ExecutorCard, ExecutorLike } from 'parley-a2a/types';
import { expect, expectTypeOf, it } from 'vitest';
import type { ExecutorBus } from '../../src/agent/executor/bus.ts';
import type { requestContext } from '../../src/agent/executor/request.ts';
import { compiles } from './compiles.ts';

// Held against the SDK's own types. What is published needs none of them.

type Given = Awaited<ReturnType<typeof requestContext>>;
type Given1 = Extract<Given, { request: unknown }>;

it('takes an executor and a card of the SDK as they are', () => {
  expectTypeOf<AgentExecutor>().toExtend<ExecutorLike>();
  expectTypeOf<AgentCard>().toExtend<ExecutorCard>();
  compiles((executor: AgentExecutor, card: AgentCard) => {
    expectTypeOf(fromExecutor(executor, card)).toEqualTypeOf<Agent>();
    fromExecutor(executor, { name: 'a', description: 'b', version: '1', skills: [] });
    // @ts-expect-error: an agent needs a name
    fromExecutor(executor, { description: 'b', version: '1' });
    // @ts-expect-error: no executor
    fromExecutor({ run: () => 'Hi' }, card);
  });
  expect(fromExecutor).toBeTypeOf('function');
});

it('gives executors what the SDK would', () => {
  type GivenMessage = Given1['userMessage'];
  type GivenTask = NonNullable<Given1['task']>;
  type GivenPart = GivenMessage['parts'][number];
  expectTypeOf<Omit<GivenMessage, 'parts'>>().toExtend<Omit<SdkMessage, 'parts'>>();
  expectTypeOf<Omit<GivenPart, 'content'>>().toExtend<Omit<Part, 'content'>>();
  expectTypeOf<GivenPart['content']['$case']>().toEqualTypeOf<NonNullable<Part['content']>['$case']>();
  expectTypeOf<Pick<GivenTask, 'id' | 'contextId'>>().toExtend<Pick<SdkTask, 'id' | 'contextId'>>();
  expectTypeOf<keyof GivenTask>().toEqualTypeOf<keyof SdkTask>();
  expectTypeOf<keyof GivenTask['artifacts'][number]>().toEqualTypeOf<keyof Artifact>();
  expectTypeOf<GivenTask['status']['state']>().toExtend<NonNullable<SdkTask['status']>['state']>();
  expectTypeOf<keyof RequestContext>().toExtend<keyof Given1>();
  expectTypeOf<Exclude<keyof RequestContext['context'], keyof Given1['context']>>().toEqualTypeOf<
    'setTenant' | 'setRequestedExtensions'
  >();
  expectTypeOf<keyof ExecutionEventBus>().toExtend<keyof ExecutorBus>();
});
