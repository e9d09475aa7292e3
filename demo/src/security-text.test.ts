import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { ownFiles } from './http.ts';

it('a finder of a weakness reads where to report it, in a file that has not expired', async () => {
  const now = (): number => Date.UTC(2026, 0, 1);
  const server = express().use(ownFiles('https://shop.test', now)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/security.txt`);
  const text = await answer.text();
  server.close();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^Contact: (?:mailto:|https:\/\/)\S+$/m);
  expect(text).toContain('Canonical: https://shop.test/.well-known/security.txt\n');
  const [, expires = ''] = /^Expires: (\S+)$/m.exec(text) ?? [];
  const days = (Date.parse(expires) - now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});
