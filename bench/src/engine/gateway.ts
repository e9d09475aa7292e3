/**
 * A process of its own that answers as the gateway does and does nothing else, so that its work is
 * in no shop's figures: each link has a session of its own, and each session is paid. It answers after
 * so many milliseconds, its parameter, or at once. Tells its port to the process that started it.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paidRow } from '../paid-row.ts';

const delayMs = Number(process.argv[2] ?? 0);
const STRIPE_PATH = '/v1/checkout/sessions';
const run = randomUUID().slice(0, 24);
let sessions = 0;

/** The answer to a request for a new session. */
function link(url: string): string {
  sessions += 1;
  const id = run + sessions.toString(16).padStart(12, '0');
  if (url.startsWith(STRIPE_PATH)) return stripeSession(id);
  const redirectUrl = `https://checkout.staging.gateway.example/pay?sessionId=${id}`;
  return JSON.stringify({ id, redirectUrl });
}

/** A Checkout Session as stripe-node reads it, with the fields that a shop needs. */
const stripeSession = (id: string): string =>
  JSON.stringify({
    id,
    object: 'checkout.session',
    url: `https://checkout.stripe.example/c/pay/${id}`,
    amount_total: 11_500,
    currency: 'sar',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    status: 'complete',
  });

/** The answer to a question about a session. */
function status(url: string): string {
  if (url.startsWith(STRIPE_PATH)) return stripeSession(url.slice(STRIPE_PATH.length + 1));
  const id = url.slice(url.indexOf('id=') + 3);
  return JSON.stringify({
    code: 200,
    message: 'Transaction status retrieved successfully',
    errorCode: null,
    data: {
      content: [paidRow(`f${id.slice(1)}`, '115.00')],
      totalElements: 1,
    },
  });
}

const server = createServer((request, response) => {
  const isPost = request.method === 'POST';
  const answer = (): void => {
    const body = (isPost ? link : status)(request.url ?? '');
    response.writeHead(isPost ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  request.resume().on('end', () => {
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
});
server.keepAliveTimeout = 0; // A round of another shop must not cost this one its connections.
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
