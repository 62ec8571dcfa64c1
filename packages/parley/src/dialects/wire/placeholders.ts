import type { Message, TaskStatus } from '../../model/task.ts';

// Stand in for values that could not be read, until the whole is refused for them.

export const NO_MESSAGE: Message = { messageId: '', role: 'user', parts: [] };
export const NO_STATUS: TaskStatus = { state: 'working', timestamp: '' };
