import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { defineAgent, type TaskContext } from 'parley-a2a';
import { z } from 'zod';

const facts = { name: 'weather', description: 'The weather in a city, now', schema: z.object({ city: z.string() }) };
const weather = tool(({ city }) => `21 °C and sunny in ${city}`, facts);

export function createForecaster(model: Pick<Required<BaseChatModel>, 'bindTools'>) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.bindTools([weather]).invoke(messages)] }))
    .addNode('tools', new ToolNode([weather]))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile();
  async function* run({ text, signal }: TaskContext) {
    const chunks = await graph.stream({ messages: [['user', text]] }, { streamMode: 'messages', signal });
    for await (const [chunk, { langgraph_node: node }] of chunks) if (node === 'model') yield chunk.text;
  }
  return defineAgent({ name: 'forecaster', description: 'Tells the weather', version: '1.0.0', run });
}
