import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createControlClient } from './control/client.ts';
import { send, submitCard, validLink } from './testing/sandbox-for-test.ts';

/** Passes the check digit and is on neither list: it could be anyone's. */
const realNumber = '4539578763621486';
const spellings = [realNumber, '4539 5787 6362 1486', '4539-5787-6362-1486'];
const commandLine = fileURLToPath(new URL('./cli.ts', import.meta.url));

test(
  'a number that is no test card is refused wherever it is sent, and stands nowhere afterwards',
  { timeout: 120_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'sandbox-card-'));
    const child = spawn(process.execPath, [commandLine, '--port', '0', '--data', data, '--json'], {
      env: { ...process.env, NODE_ENV: 'test' },
    });
    const exited = once(child, 'exit');
    try {
      const log: string[] = [];
      child.stderr.on('data', (text) => log.push(String(text)));
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => log.push(line));
      const [line] = (await once(lines, 'line')) as [string];
      const sandbox = JSON.parse(line) as Address;

      const stream = await listen(sandbox.url);
      await sendTheNumberEverywhere(sandbox);
      const places = new Map([...(await everyAnswer(sandbox)), ['stream', await stream.text()]]);
      child.kill('SIGTERM');
      await exited;
      for (const file of await readdir(data)) {
        places.set(file, await readFile(join(data, file), 'utf8'));
      }
      places.set('log', log.join('\n'));
      for (const [place, text] of places) {
        const found = spellings.filter((spelling) => text.includes(spelling));
        expect([place, text.length > 0, found]).toEqual([place, true, []]);
      }
      // Proof that the search would find what is there: the masked number is.
      expect(places.get('requests')).toContain('453957******1486');
    } finally {
      child.kill('SIGKILL');
      await rm(data, { recursive: true });
    }
  },
);

interface Address {
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

async function sendTheNumberEverywhere({ url, baseUrl, apiKey }: Address): Promise<void> {
  const post = (path: string, body: object) =>
    send(baseUrl + path, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const control = createControlClient(url);
  const stray = { customerName: `Noura ${realNumber}`, note: realNumber, [realNumber]: 1 };
  const created = await post('/payment/checkout/intiate', { ...validLink, ...stray });
  const { id, redirectUrl } = created.body as { id: string; redirectUrl: string };
  for (const number of spellings) {
    const page = await submitCard({ redirectUrl }, { number, holder: number });
    expect(page.text).not.toContain(number);
    const refused = control.pay(id, { card: { number } });
    await expect(refused).rejects.toMatchObject({ code: 'not_a_test_card', status: 422 });
    const sale = await post('/payment/s2s/sale', {
      orderId: 'sale-1',
      amount: 115,
      currency: 'SAR',
      paymentMethod: 'card',
      auth: 'N',
      recurringInit: 'N',
      card: { number, expiryMonth: '12', expiryYear: '2039', cvv: '123', holderName: number },
      customerDetails: { name: number, email: validLink.customerEmail, phone: '0512345678' },
      successUrl: validLink.successUrl,
      failureUrl: validLink.failureUrl,
    });
    expect(sale.status).toBe(400);
  }
  const asked = `${baseUrl}/payment/checkout/status?id=${realNumber}`;
  await send(asked, { headers: { 'x-api-key': apiKey } });
  await send(`${baseUrl}/${realNumber}`, { headers: { 'x-api-key': realNumber } });
}

/** All that the sandbox shows or stores afterwards, by its place. */
async function everyAnswer({ url }: Address): Promise<[string, string][]> {
  const control = createControlClient(url);
  const requests = await control.requests();
  const commands = await Promise.all(
    requests.filter(({ operation }) => operation !== null).map(({ id }) => control.curl(id)),
  );
  const paths = ['ledger', 'events', 'deliveries', 'faults', 'snapshots', 'requests.har'];
  const answers = paths.map(async (path): Promise<[string, string]> => [
    path,
    (await send(`${url}/_sandbox/v1/${path}`)).text,
  ]);
  const inspector = await send(`${url}/_sandbox`);
  return [
    ['requests', JSON.stringify(requests)],
    ['curl', commands.join('\n')],
    ['inspector', inspector.text],
    ...(await Promise.all(answers)),
  ];
}

/** Listens to the stream until its text is asked for. */
async function listen(url: string): Promise<{ text: () => Promise<string> }> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/_sandbox/v1/stream`, { signal: leaving.signal });
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      chunks.push(chunk);
    }
  })().catch(() => {});
  return {
    text: async () => {
      leaving.abort();
      await reading;
      return chunks.join('');
    },
  };
}
