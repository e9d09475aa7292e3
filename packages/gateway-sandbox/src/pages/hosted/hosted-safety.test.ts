import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  approvingCard,
  createLink,
  send,
  startForTest,
  statusContent,
  submitCard,
  validLink,
} from '../../testing/sandbox-for-test.ts';

const realCard = '4539578763621486';

test('a real card is refused and shows up nowhere afterwards', async () => {
  const data = await mkdtemp(join(tmpdir(), 'sandbox-card-'));
  const sandbox = await startForTest({ data });
  const planted = { customerName: `Card ${realCard}` };
  const link = await createLink(sandbox, planted);
  const answers = [
    await submitCard(link, { number: realCard }),
    await submitCard(link, { number: '4539 5787 6362 1486', holder: realCard, formKey: realCard }),
    await submitCard(link, { expiry: realCard, cvv: realCard }),
    await submitCard(link, { holder: realCard, formKey: realCard, outcome: 'decline' }),
    await send(link.redirectUrl),
    await send(`${sandbox.url}/_sandbox/v1/sessions/${link.id}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card: { number: realCard } }),
    }),
    await send(`${sandbox.baseUrl}/payment/${realCard}`),
    await send(`${sandbox.baseUrl}/payment/checkout/status?id=${realCard}`, {
      headers: { 'x-api-key': sandbox.apiKey },
    }),
    await send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ ...validLink, card: { number: realCard }, currency: realCard }),
    }),
    await send(`${sandbox.url}/_sandbox/v1/requests`),
    await send(`${sandbox.url}/_sandbox`),
  ];
  expect(answers[0]?.text).toContain('This is not a test card.');
  const journal = await readFile(join(data, 'journal.jsonl'), 'utf8');
  for (const text of [...answers.map((answer) => answer.text), journal]) {
    expect(text.replaceAll(/[ -]/g, '')).not.toContain(realCard);
    expect(text.replaceAll(/[ -]/g, '')).not.toContain(realCard.slice(0, 8));
  }
  await sandbox.close();
  await rm(data, { recursive: true, force: true });
});

test('what a merchant sent is text on the page, never markup', async () => {
  const sandbox = await startForTest();
  const hostile = '"><script>alert(1)</script>';
  const { redirectUrl } = await createLink(sandbox, {
    merchantOrderId: hostile,
    customerName: hostile,
    failureUrl: 'https://shop.example/?a="><script>',
  });
  const pages = [redirectUrl, `${redirectUrl}&lang="><script>`, `${sandbox.url}/_sandbox`];
  for (const page of pages) {
    const { text } = await send(page);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('"><script');
    expect(text).not.toContain('alert(1)</script>');
  }
});

test('the page is strict about scripts, frames, caches and where its forms lead', async () => {
  const sandbox = await startForTest();
  const { redirectUrl } = await createLink(sandbox, {
    successUrl: 'http://localhost:3000/ok',
    failureUrl: 'https://other.example/no',
  });
  const { headers, text } = await send(redirectUrl);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' http://localhost:3000 https://other.example; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/<style|style="|<script(?! src="\/assets\/)/);
  expect([...text.matchAll(/(?:src|action)="(\w+:[^"]*)"/g)]).toEqual([]);
});

test('the icon and the page’s own files are answered', async () => {
  const sandbox = await startForTest();
  const { text } = await send((await createLink(sandbox)).redirectUrl);
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(files).toHaveLength(3);
  for (const path of [...files, '/favicon.ico']) {
    expect((await send(sandbox.url + path)).status).toBe(200);
  }
});

test('a form of another site is turned away', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const { status } = await send(link.redirectUrl, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({ number: approvingCard, expiry: '12/39', cvv: '123' }),
  });
  expect(status).toBe(403);
  expect(await statusContent(sandbox, link.id)).toEqual([]);
});
