import { createRequire } from 'node:module';
import express from 'express';
import { expect, it, vi } from 'vitest';
import './checkout-body.test.ts';
import './checkout.test.ts';
import './return.test.ts';
import './status.test.ts';
import './webhook.test.ts';

// A shop on Express 4 has that version alone: here the router and the app both get it, and every
// test of the edge runs on it once more.
// @ts-expect-error Express 4 brings no types.
vi.mock('express', () => import('express4'));

it('these tests run on Express 4 here', () => {
  const require = createRequire(import.meta.url);
  const { version } = require('express4/package.json') as { version: string };
  expect(version).toMatch(/^4\./);
  expect(express).toBe(require('express4'));
});
