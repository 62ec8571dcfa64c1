import { randomUUID } from 'node:crypto';
import type { Binding, Calling, Flow, Hosting, SeenCard, SeenPushConfig, Sending, Version } from './calling.ts';
import type { PeerProcess } from './peer.ts';
import { isPlainObject, type Plain } from './plain.ts';
import { type SeenPart, seenEvent, seenTask } from './seen.ts';

/** The JSON that the kit's own types are written in. */
export type Form = '1.0' | '0.3';

/** The kit's client, connected to a server. */
export async function peerClient(
  peer: PeerProcess,
  form: Form,
  url: string,
  version: Version,
  binding: Binding,
): Promise<Calling> {
  const { client, card } = objectOf(await peer.call({ op: 'connect', url, version, binding }));
  const call = (op: string, members: Plain = {}) => peer.call({ op, client, ...members });
  const flow = (op: string, members: Plain): Flow => {
    const stream = peer.stream({ op, client, ...members });
    return {
      next: async () => {
        const event = await stream.next();
        return event === undefined ? undefined : seenEvent(event);
      },
      cancel: async (taskId) => seenTask(await call('cancel', { taskId })),
      leave: () => stream.leave(),
    };
  };
  return {
    card: cardOf(card),
    send: async (message, wait = true) => {
      const event = seenEvent(await call('send', { message: written(message, form), wait }));
      if (event.kind === 'task' || event.kind === 'message') return event;
      throw new Error(`A send was answered with ${event.kind}`);
    },
    stream: (message) => flow('stream', { message: written(message, form) }),
    get: async (taskId) => seenTask(await call('get', { taskId })),
    list: async (contextId) => {
      const { tasks } = objectOf(await call('list', { contextId }));
      return Array.isArray(tasks) ? tasks.map(seenTask) : [];
    },
    cancel: async (taskId) => seenTask(await call('cancel', { taskId })),
    subscribe: (taskId) => flow('subscribe', { taskId }),
    createPush: async (taskId, { id, url: hook }) =>
      pushOf(await call('createPush', { taskId, configId: id, url: hook })),
    getPush: async (taskId, configId) => pushOf(await call('getPush', { taskId, configId })),
    listPush: async (taskId) => {
      const { configs } = objectOf(await call('listPush', { taskId }));
      return Array.isArray(configs) ? configs.map(pushOf) : [];
    },
    deletePush: async (taskId, configId) => void (await call('deletePush', { taskId, configId })),
    extendedCard: async () => cardOf(await call('extendedCard')),
  };
}

/** The kit's server, with one interface. */
export async function peerServer(peer: PeerProcess, version: Version, binding: Binding): Promise<Hosting> {
  const { server, url } = objectOf(await peer.call({ op: 'serve', version, binding }));
  return {
    url: String(url),
    release: async () => void (await peer.call({ op: 'release', server })),
  };
}

function written({ parts, taskId, contextId }: Sending, form: Form): Plain {
  const ids = { messageId: randomUUID(), taskId, contextId };
  if (form === '1.0') return { ...ids, role: 'ROLE_USER', parts: parts.map(part1) };
  return { ...ids, kind: 'message', role: 'user', parts: parts.map(part03) };
}

function part1(part: SeenPart): Plain {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'data') return { data: part.data };
  const { mediaType, filename } = part;
  if (part.kind === 'link') return { url: part.url, mediaType, filename };
  return { raw: base64Of(part.hex), mediaType, filename };
}

function part03(part: SeenPart): Plain {
  if (part.kind === 'text') return { kind: 'text', text: part.text };
  if (part.kind === 'data') return { kind: 'data', data: part.data };
  const { mediaType: mimeType, filename: name } = part;
  if (part.kind === 'link') return { kind: 'file', file: { uri: part.url, mimeType, name } };
  return { kind: 'file', file: { bytes: base64Of(part.hex), mimeType, name } };
}

function base64Of(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

function cardOf(value: unknown): SeenCard {
  const { name, skills, capabilities } = objectOf(value);
  const { streaming } = isPlainObject(capabilities) ? capabilities : {};
  return { name: String(name), skills: Array.isArray(skills) ? skills.length : 0, streaming: streaming === true };
}

function pushOf(value: unknown): SeenPushConfig {
  const outer = objectOf(value);
  const { id, url } = isPlainObject(outer.pushNotificationConfig) ? outer.pushNotificationConfig : outer;
  return { id: String(id), url: String(url) };
}

function objectOf(value: unknown): Plain {
  if (!isPlainObject(value)) throw new Error(`The peer answered ${JSON.stringify(value)}`);
  return value;
}
