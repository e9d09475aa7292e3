import { expect, test } from 'vitest';
import {
  createLink,
  getStatus,
  postLink,
  startForTest,
  validLink,
} from '../../testing/sandbox-for-test.ts';

test.each([
  ['status', { status: 503 }, 503],
  ['status', {}, 500],
  ['html', {}, 503],
] as const)('the fault %s %j answers %i as often as asked', async (kind, extra, status) => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({
    operation: 'retrieveStatus',
    place: 'before-validation',
    kind,
    count: 2,
    ...extra,
  });
  const { id } = await createLink(sandbox);
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await getStatus(sandbox, id)).status);
  expect(statuses).toEqual([status, status, 200]);
});

test('a connection reset after the commit hides a session that exists', async () => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({
    operation: 'createPaymentLink',
    place: 'after-commit',
    kind: 'reset',
  });
  await expect(postLink(sandbox)).rejects.toThrow('fetch failed');
  expect((await postLink(sandbox)).body).toMatchObject({
    message: 'merchantOrderId must be unique',
  });
  await sandbox.control.addFault({ place: 'before-commit', kind: 'reset' });
  const other = { ...validLink, merchantOrderId: 'order-2' };
  await expect(postLink(sandbox, other)).rejects.toThrow('fetch failed');
  expect((await postLink(sandbox, other)).status).toBe(201);
});

test('latency delays a call and changes nothing else', async () => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({ place: 'before-commit', kind: 'latency', latencyMs: 120 });
  const begun = performance.now();
  expect((await postLink(sandbox)).status).toBe(201);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(110);
});
