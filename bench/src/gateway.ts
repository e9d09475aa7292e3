/**
 * A gateway in a process of its own, so that its work is in no shop's figures. It answers and keeps
 * next to nothing: the id of a session tells when the session was made. stripe-node gets what it
 * reads of a Checkout Session.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Child, endWithParent } from './child.ts';

/** How a gateway answers. */
interface Manner {
  /** After so many milliseconds. @defaultValue at once */
  readonly delayMs?: number;
  /** So long after its creation a session is paid; `null` for never. @defaultValue at once */
  readonly paidAfterMs?: number | null;
}

/** Starts a gateway. */
export async function startGateway(manner: Manner = {}) {
  const child = new Child<number>(new URL(import.meta.url), [JSON.stringify(manner)]);
  const origin = `http://127.0.0.1:${await child.answer()}`;
  return { origin, end: () => child.end() };
}

const STRIPE_PATH = '/v1/checkout/sessions';

/** The program itself; started by hand it says where it listens, as the sandbox does. */
export const gatewayProgram = fileURLToPath(import.meta.url);
if (process.argv[1] === gatewayProgram) {
  serve(JSON.parse(process.argv[2] ?? '{}') as Manner);
}

function serve({ delayMs = 0, paidAfterMs = 0 }: Manner): void {
  let sessions = 0;
  const link = (url: string): object => {
    sessions += 1;
    const counter = sessions.toString(16).padStart(8, '0');
    const id = `${counter}-0000-4000-8000-${Date.now().toString(16).padStart(12, '0')}`;
    if (url.startsWith(STRIPE_PATH)) return stripeSession(id);
    return { id, redirectUrl: `https://checkout.gateway.example/pay?sessionId=${id}` };
  };
  const isPaid = (id: string): boolean =>
    paidAfterMs !== null && Date.now() - Number.parseInt(id.slice(24), 16) >= paidAfterMs;
  const status = (url: string): object => {
    if (url.startsWith(STRIPE_PATH)) return stripeSession(url.slice(STRIPE_PATH.length + 1));
    const id = url.slice(url.indexOf('id=') + 3);
    const content = isPaid(id) ? [paidRow(id)] : [];
    const data = { content, totalElements: content.length };
    return { code: 200, message: 'Success', errorCode: null, data };
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isPost = request.method === 'POST';
      const url = request.url ?? '';
      const body = JSON.stringify(isPost ? link(url) : status(url));
      const answer = (): void => {
        response.writeHead(isPost ? 201 : 200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      };
      if (delayMs === 0) answer();
      else setTimeout(answer, delayMs);
    });
  });
  server.keepAliveTimeout = 0; // A round of another shop must not cost this one its connections.
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    const access = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'any' };
    if (process.send === undefined) console.log(`ready ${JSON.stringify(access)}`);
    else process.send(port);
  });
  endWithParent();
}

/** A Checkout Session as stripe-node reads it, with the fields that a shop needs. */
const stripeSession = (id: string): object => ({
  id,
  object: 'checkout.session',
  url: `https://checkout.gateway.example/c/pay/${id}`,
  amount_total: 11_500,
  currency: 'sar',
  payment_status: 'paid',
  payment_intent: `pi_${id}`,
  status: 'complete',
});

/** A row as an approved payment leaves it: the stated fields, and some that usually come along. */
const paidRow = (session: string): object => ({
  transactionId: session.replace('-4000-', '-4001-'),
  amount: '115.00',
  transactionStatus: 'SUCCESS',
  paymentStatus: 'APPROVED',
  refundStatus: 'NONE',
  totalRefundAmount: '0.00',
  pan: '420132******1010',
  cardScheme: 'MADA',
  currencyCode: '682',
  rrn: '432112345678',
  declineReason: null,
});
