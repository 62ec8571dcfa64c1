import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StatusLine } from '../../../src/cli/show/status-line.ts';
import type { Output } from '../../../src/cli/surroundings.ts';
import { PLAIN } from '../../../src/cli/text/style.ts';
import { serveAgents } from '../support/agents.ts';
import { cli } from '../support/in-process.ts';

const ERASED = '\r\u001b[K';

class FakeTerminal extends EventEmitter {
  isTTY = true;
  columns = 40;
  written: string[] = [];

  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
}

function statusLine() {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const terminal = new FakeTerminal();
  return { terminal, line: new StatusLine(terminal as unknown as Output, PLAIN) };
}

describe('the status line', () => {
  it('comes only after a moment, and goes without a trace', () => {
    const { terminal, line } = statusLine();
    line.start('working');
    vi.advanceTimersByTime(150);
    expect(terminal.written).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(terminal.written.join('')).toContain('working · 0s');
    line.stop();
    expect(terminal.written.at(-1)).toBe(ERASED);
    vi.advanceTimersByTime(1000);
    expect(terminal.written.at(-1)).toBe(ERASED);
  });

  it('is out of the way of what is written', () => {
    const { terminal, line } = statusLine();
    line.start('working');
    vi.advanceTimersByTime(300);
    terminal.written = [];
    line.around(() => terminal.write('answer\n'));
    expect(terminal.written).toEqual([ERASED, 'answer\n', expect.stringContaining('working')]);
  });

  it('is never wider than the terminal, whatever the agent says', () => {
    const { terminal, line } = statusLine();
    line.start(`${'long '.repeat(50)}\u001b[31m\n`);
    vi.advanceTimersByTime(300);
    const drawn = terminal.written.at(-1) ?? '';
    expect(drawn.length).toBeLessThan(40);
    expect(drawn).toMatch(/… · 0s$/);
    line.preview = () => 'what is being written right now, the end of which is what counts';
    vi.advanceTimersByTime(100);
    expect(terminal.written.at(-1)).toMatch(/^. ….*is what counts · 0s$/);
  });

  it('clears every row that a narrower terminal made of it', () => {
    const { terminal, line } = statusLine();
    line.start('x'.repeat(30));
    vi.advanceTimersByTime(300);
    terminal.columns = 20;
    terminal.written = [];
    terminal.emit('resize');
    expect(terminal.written[0]).toBe('\r\u001b[1A\u001b[J');
    expect((terminal.written[1] ?? '').length).toBeLessThan(20);
  });
});

/** A way to a server that can be blocked. */
async function road(to: string) {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const { port } = new URL(to);
  const server = createServer((socket) => {
    if (isBlocked) {
      socket.destroy();
      return;
    }
    const further = connect(Number(port), '127.0.0.1');
    for (const end of [socket, further]) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => sockets.delete(end));
    }
    socket.pipe(further).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    block() {
      isBlocked = true;
      for (const socket of sockets) socket.destroy();
    },
    open() {
      isBlocked = false;
    },
  };
}

it('tells of connections that are lost, and the answer is whole all the same', async () => {
  const { url } = await serveAgents();
  const way = await road(url);
  let isBlocked = false;
  const onOutput = ({ stderr }: { readonly stderr: string }) => {
    if (!isBlocked && stderr.includes('0003:')) {
      isBlocked = true;
      way.block();
    }
    if (stderr.includes('connection lost')) way.open();
  };
  const settings = { terminal: true, columns: 120, onOutput };
  const { code, stdout, stderr } = await cli(['stream', way.url, 'chunk 12 5 100'], settings);
  expect(code).toBe(0);
  expect(stderr).toMatch(/connection lost; going on where it was in \d\.\ds \(attempt \d\)/);
  expect(stdout).toBe(
    `${Array.from({ length: 12 }, (_, index) => `${String(index + 1).padStart(4, '0')}:`).join('')}\n`,
  );
});

it('shows work that leaves no time to timers, as often as the line is redrawn', () => {
  const { terminal, line } = statusLine();
  line.start('reading');
  for (let task = 0; task < 50; task += 1) {
    line.text = `reading ${task}`;
    line.tick();
    vi.setSystemTime(Date.now() + 10);
  }
  const drawn = terminal.written.filter((text) => text !== ERASED);
  expect(drawn).toHaveLength(5);
  expect(drawn[0]).toContain('reading 0 · 0s');
  line.stop();
  expect(terminal.written.at(-1)).toBe(ERASED);
});
