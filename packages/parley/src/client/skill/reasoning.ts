export { isReasoning, REASONING } from '../../model/reasoning.ts';
