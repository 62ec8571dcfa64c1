import type { Probe } from './probe/probe.ts';
import { skip } from './verdict.ts';
import type { Frame, LiveStream } from './wire/live-stream.ts';

/** Each of the things that a rule judges. Skips the rule if there is none: it passes only on evidence. */
export function* eachOf<Thing>(things: Iterable<Thing>, name: string): Generator<Thing> {
  let isAny = false;
  for (const thing of things) {
    isAny = true;
    yield thing;
  }
  if (!isAny) skip(`no ${name} was seen`);
}

/** Every event of every stream that was seen. */
export function* seenFrames(probe: Probe): Generator<readonly [Frame, LiveStream]> {
  for (const stream of probe.caller.streams) for (const frame of stream.frames) yield [frame, stream];
}
