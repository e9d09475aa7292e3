import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { ControlDocument } from '../testing/control-document.ts';
import { cards, send, startForTest, validLink } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

const run = promisify(execFile);

test('the archive holds each request with its answer, and nothing secret', async () => {
  const { id } = await sandbox.createLink();
  await sandbox.getStatus(id);
  await sandbox.postLink({ ...validLink, customerPhone: '' });
  await sandbox.control.addFault({ place: 'before-validation', kind: 'reset' });
  await expect(sandbox.getStatus(id)).rejects.toThrow('fetch failed');
  const { text } = await send(`${sandbox.url}/_sandbox/v1/requests.har`);
  expect(JSON.parse(text)).toMatchObject({
    log: {
      version: '1.2',
      creator: { name: 'pay-gateway-sandbox' },
      entries: [
        { request: { method: 'POST' }, response: { status: 201, statusText: 'Created' } },
        {
          request: {
            url: `${sandbox.baseUrl}/payment/checkout/status?id=${id}`,
            queryString: [{ name: 'id', value: id }],
          },
          response: { status: 200, content: { text: expect.stringContaining('"content":[]') } },
        },
        { response: { content: { text: expect.stringContaining('should not be empty') } } },
        { response: { status: 0 }, comment: 'decided by fault · fault · before-validation reset' },
      ],
    },
  });
  for (const secret of [sandbox.apiKey, validLink.customerPhone, validLink.customerEmail]) {
    expect(text).not.toContain(secret);
  }
});

test('a request’s curl command does the same again once its gaps are filled', async () => {
  await sandbox.postLink({ ...validLink, merchantOrderId: "it's $(touch x)" });
  const command = await curlOf({ operation: 'createPaymentLink' });
  expect(command).toContain('$GATEWAY_API_KEY');
  expect(command).toContain('<customerPhone>');
  expect(command).not.toContain(sandbox.apiKey);
  const filled = command
    .replace('<customerPhone>', '0512345678')
    .replace('<customerEmail>', 'noura@example.com')
    .replaceAll('https://shop.example/…', 'https://shop.example/');
  expect(await shell(filled)).toMatchObject({ message: 'merchantOrderId must be unique' });
  await sandbox.getStatus('unknown');
  const question = await curlOf({ operation: 'retrieveStatus' });
  expect(await shell(question)).toMatchObject({ message: 'Transaction not found' });
});

test('requests are found, and counts verified, by operation, by the order that they are about and by status', async () => {
  const { transactionId, sessionId } = await sandbox.payLink();
  await sandbox.postLink();
  await sandbox.createLink({ merchantOrderId: 'order-3' });
  await sandbox.getStatus(sessionId);
  await sandbox.getStatus(transactionId);
  const { control } = sandbox;
  const entries = await control.requests({ merchantOrderId: 'order-1' });
  expect(entries.map(({ operation: name, status }) => `${name} ${status}`)).toEqual([
    'createPaymentLink 201',
    'createPaymentLink 400',
    'retrieveStatus 200',
    'retrieveStatus 200',
  ]);
  const operation = 'createPaymentLink';
  const verify = async (expected: Parameters<typeof control.verify>[0]) => {
    const { ok, count, complete } = await control.verify(expected);
    return `${ok} ${count} ${complete}`;
  };
  expect(await verify({ operation, count: 3 })).toBe('true 3 true');
  expect(await verify({ operation, status: 201, count: 3 })).toBe('false 2 true');
  expect(await verify({ merchantOrderId: 'order-1', atLeast: 5 })).toBe('false 4 true');
  expect(await verify({ merchantOrderId: 'order-2', atMost: 0 })).toBe('true 0 true');
});

async function curlOf(filter: { operation: string }): Promise<string> {
  const [entry] = await sandbox.control.requests(filter);
  return sandbox.control.curl(entry?.id ?? '');
}

/** Lets a real shell take the command apart, and does what curl would do with its words. */
async function shell(command: string): Promise<unknown> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { PATH: process.env['PATH'], GATEWAY_API_KEY: sandbox.apiKey };
  const { stdout } = await run('sh', ['-c', script], { env });
  const words = stdout.split('\0').slice(0, -1);
  const after = (flag: string) => words.filter((_word, index) => words[index - 1] === flag);
  const headers = after('-H').map((line) => line.split(': ') as [string, string]);
  const [method = ''] = after('-X');
  const [body] = after('--data');
  const answer = await send(words.at(-1) ?? '', { method, headers, body: body ?? null });
  return answer.body;
}

test('the stream sends the happenings of one tenant live, numbered and in order, and ends with the sandbox', async () => {
  const { control } = sandbox;
  await control.openTenant({ id: 'other' });
  const stream = await openStream();
  await control.forTenant('other').freezeClock();
  const { id } = await sandbox.createLink();
  await control.pay(id, { card: { number: cards.mada } });
  const events = [
    ['1', 'effect', { kind: 'session-created', id }],
    ['2', 'request', { operation: 'createPaymentLink', status: 201 }],
    ['3', 'effect', { kind: 'session-paid' }],
    ['4', 'effect', { kind: 'webhook-event' }],
  ];
  expect(await stream(4)).toMatchObject(events);
  await sandbox.close();
  expect(await stream(5)).toMatchObject(events);
});

/** Reads events as they come, up to so many of them; fewer mean that the stream has ended. */
async function openStream() {
  const response = await fetch(`${sandbox.url}/_sandbox/v1/stream?tenant=default`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (count: number) => {
    for (;;) {
      const found = [...text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm)];
      const { done, value } = found.length < count ? await reader.read() : { done: true };
      if (done)
        return found
          .slice(0, count)
          .map(([, id, event, data = '']) => [id, event, JSON.parse(data)]);
      text += value;
    }
  };
}

test('the document is served as YAML', async () => {
  const { headers, text } = await send(`${sandbox.url}/_sandbox/v1/openapi.yaml`);
  expect(headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(JSON.parse(text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
});

test('an answer that departs from the document is found out', () => {
  const document = new ControlDocument();
  const answer = { status: 200, contentType: 'application/json; charset=utf-8', body: {} };
  const faults = (method: string, path: string, changes: object = {}) =>
    document.answerFaults({ method, path }, { ...answer, ...changes });
  expect(faults('GET', '/ready', { body: { ready: true } })).toEqual([]);
  expect(faults('GET', '/ready')).toHaveLength(1);
  expect(faults('GET', '/ready', { body: { ready: true, more: 1 } })).toHaveLength(1);
  expect(faults('GET', '/ready', { status: 500 })).toHaveLength(1);
  expect(faults('GET', '/ready', { contentType: 'text/html' })).toHaveLength(1);
  expect(faults('PUT', '/nowhere')).toHaveLength(1);
});
