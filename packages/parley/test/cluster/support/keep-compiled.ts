// Loaded before a program that is going to be killed: what Node has compiled is kept for the next process meanwhile, and not
// only at an orderly end.
import { flushCompileCache } from 'node:module';

const INTERVAL_MS = 5000;

setInterval(flushCompileCache, INTERVAL_MS).unref();
