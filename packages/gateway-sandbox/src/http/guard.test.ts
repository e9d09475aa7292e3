import { expect, test } from 'vitest';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

test('a page of another host at the same port may not post, though its name is numeric too', async () => {
  const { port, controlToken } = await startForTest({ host: '0.0.0.0' });
  const post = (origin: string) =>
    send(`http://127.0.0.1:${port}/_sandbox/v1/reset`, {
      method: 'POST',
      headers: {
        origin,
        authorization: `Bearer ${controlToken}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
  const names = ['127.0.0.1', '198.51.100.7', '[2001:db8::1]', 'localhost'];
  const statuses = await Promise.all(
    names.map(async (name) => (await post(`http://${name}:${port}`)).status),
  );
  expect(statuses).toEqual([200, 403, 403, 403]);
});
