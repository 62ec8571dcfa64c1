// Parley's extensions of the protocol: their names on cards and requests, and readers of what they put into messages,
// tasks and cards. For programs that look at it themselves; agents, servers and clients of this package do so already.
export { RESUME_EXTENSION } from './model/card.ts';
export { TOOLS_EXTENSION, type ToolDeclaration } from './model/extensions/caller-tools.ts';
export { CALLS_EXTENSION, type CallChain, type ChildTask, childrenOf } from './model/extensions/calls.ts';
export { COPIES_EXTENSION, type CopySource, copySourceOf } from './model/extensions/copies.ts';
export { type AskedQuestion, openQuestionsOf } from './model/extensions/open-questions.ts';
export { PUSH_EXTENSION } from './model/extensions/push.ts';
export { type Choice, QUESTIONS_EXTENSION, type QuestionInfo, questionOf } from './model/extensions/questions.ts';
export { SKILLS_EXTENSION, type SkillSchemas, skillSchemasOf } from './model/extensions/skills.ts';
export { SUMMARY_EXTENSION, summaryOf } from './model/extensions/summary.ts';
export { TASK_AUTH_EXTENSION, type TaskAuthInfo, taskAuthOf } from './model/extensions/task-auth.ts';
export { TRACE_EXTENSION, type TraceIds, traceIdsOf } from './model/extensions/trace.ts';
