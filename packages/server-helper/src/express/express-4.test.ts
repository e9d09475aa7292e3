import { createRequire } from 'node:module';
import express from 'express';
import { expect, it, vi } from 'vitest';
import '../edges/arriving-bodies.test.ts';
import '../edges/checkout-body.test.ts';
import '../edges/checkout.test.ts';
import '../edges/hostile-requests.test.ts';
import '../edges/idempotency-key.test.ts';
import '../edges/limits.test.ts';
import '../edges/methods.test.ts';
import '../edges/return.test.ts';
import '../edges/routes.test.ts';
import '../edges/status.test.ts';
import '../edges/webhook-signature.test.ts';
import '../edges/webhook.test.ts';
import './body-parsers.test.ts';
import './passed-errors.test.ts';
import './proxy-warning.test.ts';
import './wrong-calls.test.ts';

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
