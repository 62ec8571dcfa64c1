import type express5 from 'express';
// @ts-expect-error: Express 4 under another name has no types of its own
import express4 from 'express4';
import { expressHost } from './express.ts';

/** Whoever loads this takes care that the adapter meets Express 4 as well. */
export const express4Host = expressHost('Express 4', express4 as typeof express5);
