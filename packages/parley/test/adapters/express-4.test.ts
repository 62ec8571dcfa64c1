// @ts-expect-error: Express 4 under another name has no types of its own
import express4 from 'express4';
import { a2aExpress } from 'parley-a2a/express';
import { expect, it, vi } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { contractAgents } from './agents.ts';
import { adapterContract } from './contract.ts';
import { express4Host } from './hosts/express-4.ts';

// The adapter takes the Express that the app has.
// @ts-expect-error: Express 4 under another name has no types of its own
vi.mock('express', () => import('express4'));

it('is a router of Express 4', () => {
  expect(Object.getPrototypeOf(a2aExpress(startServer(contractAgents).server))).toBe(express4.Router);
});

adapterContract(express4Host);
