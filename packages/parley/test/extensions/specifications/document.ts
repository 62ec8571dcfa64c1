import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import type { Wire } from '../../support/rpc.ts';

/** One block of a specification: a request, or what the response to the request before it must be. */
interface Block {
  readonly kind: 'request' | 'response' | 'stream' | 'card';
  readonly text: string;
  readonly line: number;
}

const KINDS: Readonly<Record<string, Block['kind']>> = {
  http: 'request',
  'json response': 'response',
  sse: 'stream',
  'json card': 'card',
};

export function blocksOf(document: string): readonly Block[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(http|json response|sse|json card)\n([\s\S]*?)^```$/gm)].map((match) => ({
    kind: KINDS[match[1] ?? ''] as Block['kind'],
    text: match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/**
 * What was seen under the names that a document gives it: `<task>` stands for the same text wherever it is. `<time>` and
 * `<id>` stand for any text, and a member `…` for members that are left out.
 */
class Names {
  readonly #values = new Map<string, string>();

  /** A text of the document with what is known of its names. */
  filled(text: string): string {
    return text.replaceAll(/<(\w+)>/g, (name, key: string) => this.#values.get(key) ?? name);
  }

  expectLike(shown: Wire, actual: Wire, where: string): void {
    if (typeof shown === 'string') {
      this.#expectText(shown, actual, where);
    } else if (Array.isArray(shown)) {
      expect(Array.isArray(actual) && actual.length, `${where} has so many elements`).toBe(shown.length);
      for (const [index, item] of shown.entries()) this.expectLike(item, actual[index], `${where}[${index}]`);
    } else if (typeof shown === 'object' && shown !== null) {
      const { '…': isPart, ...members } = shown;
      expect(actual, where).toBeTypeOf('object');
      for (const name of Object.keys(members)) this.expectLike(members[name], actual[name], `${where}.${name}`);
      if (isPart === undefined) expect(Object.keys(actual).sort(), where).toEqual(Object.keys(members).sort());
    } else {
      expect(actual, where).toEqual(shown);
    }
  }

  #expectText(shown: string, actual: Wire, where: string): void {
    const name = /^<(\w+)>$/.exec(shown)?.[1];
    const known = name === undefined ? this.filled(shown) : this.#values.get(name);
    if (known !== undefined) {
      expect(actual, where).toBe(known);
    } else {
      expect(actual, where).toBeTypeOf('string');
      if (name && name !== 'time' && name !== 'id') this.#values.set(name, actual);
    }
  }
}

type Send = (request: Request) => Promise<Response>;

/** Sends what a document sends, and expects what it shows. Returns how many blocks were looked at. */
export async function follow(document: string, send: Send): Promise<number> {
  const names = new Names();
  const blocks = blocksOf(document);
  let sent: { readonly response: Response; readonly text: string } | undefined;
  for (const { kind, text, line } of blocks) {
    const where = `${document}:${line}`;
    if (kind === 'request') {
      const response = await send(requestOf(names.filled(text), where));
      sent = { response, text: await response.text() };
    } else if (kind === 'card') {
      await expectOnCard(names, JSON.parse(text), send, where);
    } else if (!sent) {
      throw new Error(`${where} follows no request`);
    } else if (kind === 'response') {
      expectHead(sent.response, text, where);
      names.expectLike(JSON.parse(bodyOf(text)), JSON.parse(sent.text), where);
    } else {
      expectHead(sent.response, text, where);
      const [shown, actual] = [framesOf(bodyOf(text)), framesOf(sent.text)];
      expect(actual.length, `${where}: ${sent.text}`).toBe(shown.length);
      for (const [index, frame] of shown.entries()) names.expectLike(frame, actual[index], `${where}, frame ${index}`);
    }
  }
  return blocks.length;
}

function requestOf(text: string, where: string): Request {
  const [head = '', body = ''] = text.split('\n\n');
  const [first = '', ...lines] = head.trimEnd().split('\n');
  const [method = '', path = ''] = first.split(' ');
  if (/<\w+>/.test(text)) throw new Error(`${where} has a name that nothing has told yet`);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  if (body !== '') headers.set('content-type', 'application/json');
  return new Request(`http://localhost${path}`, { method, headers, ...(body !== '' && { body }) });
}

/** Responses may begin with lines of their head, as comments cannot stand in JSON. */
const HEAD = /^(?:HTTP\/1\.1 (\d+).*\n)((?:[\w-]+: .*\n)*)\n/;

function expectHead(response: Response, text: string, where: string): void {
  const [, status = '200', headers = ''] = HEAD.exec(text) ?? [];
  expect(response.status, where).toBe(Number(status));
  for (const line of headers.split('\n').filter((one) => one !== '')) {
    const [name = '', value = ''] = line.split(/: (.*)/);
    expect(response.headers.get(name), `${where}: ${name}`).toBe(value);
  }
}

function bodyOf(text: string): string {
  return text.replace(HEAD, '');
}

function framesOf(text: string): Wire[] {
  return text
    .trim()
    .split('\n\n')
    .map((frame) => {
      const id = /^id: (.*)$/m.exec(frame)?.[1];
      return { id, data: JSON.parse(/^data: (.*)$/ms.exec(frame)?.[1] ?? 'null') };
    });
}

/** The card of the agent that declares them all. */
const CARD = 'http://localhost/a2a/agents/converter/.well-known/agent-card.json';

async function expectOnCard(names: Names, shown: Wire, send: Send, where: string): Promise<void> {
  const card: Wire = await (await send(new Request(CARD, { headers: { 'a2a-version': '1.0' } }))).json();
  const entry = card.capabilities.extensions.find(({ uri }: Wire) => uri === shown.uri);
  expect(entry, `${where}: the card does not declare ${shown.uri}`).toMatchObject({ uri: shown.uri });
  names.expectLike(shown, entry, where);
}
