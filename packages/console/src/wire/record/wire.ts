import { LineSwitch } from './line-switch.ts';
import { Recorder } from './recorder.ts';
import { WireLog } from './wire-log.ts';

/** The traffic of this page. */
export const wireLog: WireLog = new WireLog();
export const recorder: Recorder = new Recorder(wireLog);
/** The connection to agents; requests of the console itself go beside it. */
export const line: LineSwitch = new LineSwitch();
