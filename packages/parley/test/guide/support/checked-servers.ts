import { A2AError, A2AServer, isA2AError } from 'parley-a2a';
import { lab, reporter } from '../../../../../examples/agents/index.ts';

/** The servers that the page on checking looks at: a sound one on the first port, and on the second one that breaks a rule. */
const [sound, broken] = process.argv.slice(2).map(Number);

await new A2AServer({ agents: [lab, reporter] }).listen({ port: sound ?? 0 });

const faulty = new A2AServer({ agents: [lab] }).use({
  operation: async ({ operation, binding, dialect }, next) => {
    const isBroken = operation === 'getTask' && binding === 'JSONRPC' && dialect === 'v1_0';
    try {
      return await next();
    } catch (error) {
      if (isBroken && isA2AError(error)) throw new A2AError('INVALID_PARAMS', 'Invalid parameters');
      throw error;
    }
  },
});
await faulty.listen({ port: broken ?? 0 });
console.log('ready');
