import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { approvingCard, createLink, startForTest } from '../testing/sandbox-for-test.ts';

test('the stream sends the happenings of one tenant live, numbered and in order', async () => {
  const sandbox = await startForTest();
  const stream = await openStream(sandbox, 'default');
  const { id } = await createLink(sandbox);
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  expect(await stream.next(3)).toMatchObject([
    { id: '1', event: 'effect', data: { kind: 'session-created', id } },
    { id: '2', event: 'request', data: { operation: 'createPaymentLink', status: 201 } },
    { id: '3', event: 'effect', data: { kind: 'session-paid' } },
  ]);
  await stream.close();
});

test('a stream sends nothing of other tenants, and ends when the sandbox does', async () => {
  const sandbox = await startForTest();
  const other = await sandbox.control.openTenant({ id: 'other' });
  const stream = await openStream(sandbox, other.id);
  await createLink(sandbox);
  await sandbox.control.forTenant(other.id).freezeClock();
  expect(await stream.next(1)).toMatchObject([{ data: { kind: 'clock-changed', id: 'frozen' } }]);
  await sandbox.close();
  expect(await stream.next(1)).toEqual([]);
});

interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Reads events as they come; fewer than asked mean that the stream has ended. */
async function openStream(sandbox: Sandbox, tenant: string) {
  const response = await fetch(`${sandbox.url}/_sandbox/v1/stream?tenant=${tenant}`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (count: number): Promise<StreamEvent[]> => {
    const events: StreamEvent[] = [];
    while (events.length < count) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = readEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== null) events.push(event);
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return events;
      text += value;
    }
    return events;
  };
  return { next, close: () => reader.cancel() };
}

function readEvent(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) };
}
