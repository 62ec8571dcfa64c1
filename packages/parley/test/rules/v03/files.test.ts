import fc from 'fast-check';
import { A2AClient, A2AServer, type A2AServerOptions, bytes, bytesOf, isTask, type Part } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

type BytesPart = Extract<Part, { kind: 'bytes' }>;

const once = (data: Uint8Array | string) => Buffer.from(data).toString('base64');
const twice = (data: Uint8Array | string) => once(once(data));

/** Says what it was given, byte by byte, and gives it back. */
const mirror = () =>
  agentOf(
    async function* (task) {
      for (const part of task.parts) {
        if (part.kind !== 'bytes') continue;
        await task.status(Buffer.from(bytesOf(part)).toString('hex'));
        yield bytes(bytesOf(part), { mediaType: 'application/octet-stream', filename: 'file.bin' });
      }
    },
    { inputModes: ['*/*'], outputModes: ['*/*'] },
  );

async function sendFile(
  options: Partial<A2AServerOptions>,
  path: string,
  file: Wire,
  headers: Record<string, string> = {},
): Promise<{ response: Response; got: string; gave: Wire }> {
  const { peer } = startServer(mirror(), options);
  const message = { messageId: 'm', role: 'ROLE_USER', content: [{ file }] };
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const body = JSON.stringify({ message, configuration: { blocking: true } });
  const response = await peer.raw(path, { ...init, body });
  const answer: Wire = await response.json();
  const task = answer.task ?? answer;
  const { message: said } = task.status;
  const [spoken] = (said ?? task.history.at(-1))[said?.parts || task.history?.at(-1)?.parts ? 'parts' : 'content'];
  return { response, got: Buffer.from(spoken.text, 'hex').toString('latin1'), gave: task.artifacts[0].parts[0].file };
}

describe('files in ProtoJSON of 0.3, over HTTP+JSON', () => {
  const TEXT = 'a file of some length';

  it.each([
    ['once', once(TEXT)],
    ['twice', twice(TEXT)],
  ])('are read where they are encoded %s, and written likewise', async (encoding, fileWithBytes) => {
    for (const file of [{ fileWithBytes }, { file_with_bytes: fileWithBytes, mime_type: 'a/b' }]) {
      const { response, got, gave } = await sendFile({}, '/a2a/v1/message:send', file);
      expect(got).toBe(TEXT);
      expect(gave).toMatchObject({ fileWithBytes, name: 'file.bin' });
      expect(response.headers.get('x-parley-files')).toBe(encoding);
    }
  });

  it('are written for Python, Go and Java to callers who show no file, but for those of JavaScript', async () => {
    const { peer } = startServer(mirror());
    const sent = await peer.call('SendMessage', {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ raw: once(TEXT) }] },
    });
    const { id } = sent.task;
    const fileFor = async (headers: Record<string, string>) => {
      const task: Wire = await (await peer.raw(`/a2a/v1/tasks/${id}`, { headers })).json();
      return task.artifacts[0].parts[0].file.fileWithBytes;
    };
    expect(await fileFor({ 'user-agent': 'python-httpx/0.28' })).toBe(twice(TEXT));
    expect(await fileFor({ 'user-agent': 'node', 'sec-fetch-mode': 'cors' })).toBe(once(TEXT));
  });

  it('are read at the root of the host too, where answers have the JSON types', async () => {
    const { got, gave } = await sendFile({}, '/v1/message:send', { fileWithBytes: twice(TEXT) });
    expect([got, gave.bytes]).toEqual([TEXT, once(TEXT)]);
  });

  it('are as the proto says by a setting', async () => {
    const fileEncoding = { read: 'once', write: 'once' } as const;
    const { response, got, gave } = await sendFile({ fileEncoding: fileEncoding }, '/a2a/v1/message:send', {
      fileWithBytes: twice(TEXT),
    });
    expect([got, gave.fileWithBytes]).toEqual([once(TEXT), twice(TEXT)]);
    expect(response.headers.get('x-parley-files')).toBe('once');
  });

  it('that are short are encoded once, unless a setting or a header says otherwise', async () => {
    const file = { fileWithBytes: twice('hi') };
    const path = '/a2a/v1/message:send';
    expect((await sendFile({}, path, file)).got).toBe(once('hi'));
    expect((await sendFile({ fileEncoding: { read: 'twice' } }, path, file)).got).toBe('hi');
    expect((await sendFile({}, path, file, { 'x-parley-files': 'twice' })).got).toBe('hi');
    expect(
      (await sendFile({}, path, { fileWithBytes: once('aGVsbG8gd29ybGQh') }, { 'x-parley-files': 'once' })).got,
    ).toBe('aGVsbG8gd29ybGQh');
  });

  it('have nothing to do with the JSON types of 0.3', async () => {
    const { peer } = startServer(mirror());
    const content = once(once('a base64 text that is meant'));
    const parts = [{ kind: 'file', file: { bytes: content, name: 'file.bin' } }];
    const message = { kind: 'message', messageId: 'm', role: 'user', parts };
    for (const [path, body] of [
      ['/a2a/v1/message:send', { message }],
      ['/a2a', { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const answer: Wire = await (await peer.raw(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
      expect((answer.task ?? answer.result).artifacts[0].parts[0].file.bytes).toBe(content);
    }
  });
});

describe('our own client and server over HTTP+JSON of 0.3', () => {
  async function connected(server: Partial<A2AServerOptions>, client: object = {}): Promise<A2AClient> {
    const agents = new A2AServer({ agents: [mirror()], ...server });
    onTestFinished(() => agents.close());
    const fetch = (input: string | URL | Request, init?: RequestInit) => agents.fetch(new Request(input, init));
    const prefer = { binding: 'HTTP+JSON', version: '0.3' } as const;
    return A2AClient.connect('http://localhost', { fetch, prefer, ...client });
  }

  async function mirrored(client: A2AClient, data: Uint8Array): Promise<Uint8Array> {
    const answer = await client.sendMessage([bytes(data)]);
    if (!isTask(answer)) throw new Error('A task was expected');
    const { parts: [part] = [] } = (await client.getTask(answer.id)).artifacts[0] ?? {};
    return bytesOf(part as BytesPart);
  }

  it.each([
    [{}, {}],
    [{ fileEncoding: { write: 'once' } }, {}],
    [{ fileEncoding: { read: 'once', write: 'once' } }, {}],
    [{}, { fileEncoding: { write: 'once' } }],
    [{ fileEncoding: { write: 'once' } }, { fileEncoding: { read: 'twice', write: 'twice' } }],
  ] as const)('carry every file as it is, with the settings %j and %j', async (server, client) => {
    const connection = await connected(server, client);
    const file = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.base64String({ maxLength: 40 }).map((text) => new Uint8Array(Buffer.from(text))),
    );
    await fc.assert(
      fc.asyncProperty(file, async (data) => {
        expect(await mirrored(connection, data)).toEqual(data);
      }),
      { numRuns: 40 },
    );
  });

  it('learn from a server of others how it writes files', async () => {
    const sent: string[] = [];
    const data = new Uint8Array(Buffer.from('Hello, world, in some more words'));
    const giver = agentOf(
      async function* () {
        yield bytes(data);
      },
      { inputModes: ['*/*'], outputModes: ['*/*'] },
    );
    const agents = new A2AServer({ agents: [giver], fileEncoding: { read: 'once', write: 'once' } });
    onTestFinished(() => agents.close());
    /** Without what tells our own servers: the extension on the card, and the header. */
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      if (request.method === 'POST')
        sent.push(JSON.parse(await request.clone().text()).message.content[0].file.fileWithBytes);
      expect(request.headers.get('x-parley-files')).toBeNull();
      const response = await agents.fetch(request);
      const headers = new Headers(response.headers);
      headers.delete('x-parley-files');
      const text = await response.text();
      if (!request.url.includes('.well-known')) return new Response(text, { status: response.status, headers });
      const card: Wire = JSON.parse(text);
      return Response.json({ ...card, capabilities: { ...card.capabilities, extensions: [] } });
    };
    const prefer = { binding: 'HTTP+JSON', version: '0.3' } as const;
    const client = await A2AClient.connect('http://localhost', { fetch, prefer });
    const answers = [await client.sendMessage([bytes(data)]), await client.sendMessage([bytes(data)])];
    expect(sent).toEqual([twice(data), once(data)]);
    for (const answer of answers) {
      expect(isTask(answer) && bytesOf(answer.artifacts[0]?.parts[0] as BytesPart)).toEqual(data);
    }
  });
});
