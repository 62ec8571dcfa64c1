import { A2AError, type StreamEvent } from 'parley-a2a';
import type { Step } from './scripted.ts';

export const at = (id: number, event: StreamEvent): Step => ({
  id: String(id),
  event,
});

export const overAlready = () => new A2AError('UNSUPPORTED_OPERATION', 'The task is over');
