/**
 * One contender in a process of its own, so that neither the code that another warmed up nor the
 * garbage that another left is in its figures. Works when told to, and says what that took.
 */
import { createGatewayClient } from '@pay-button/server-helper';
import { Stripe } from 'stripe';
import { Pool } from 'undici';
import { answerParent, cpuMicroseconds } from '../child.ts';
import { atATime } from '../measured.ts';
import { apiKey } from '../our-payments.ts';

/** The two calls that every payment makes. */
export type Operation = 'create' | 'retrieve';
export type ContenderName = 'raw undici (floor)' | 'our client' | 'stripe-node';

/** One way to make the calls. Each answers what the shop needs, or throws. */
type Contender = Readonly<Record<Operation, () => Promise<string>>>;

/** It was made in 1970, so that it is paid. */
const sessionId = '5e551040-7d3c-4b52-9a7e-000000000001';
const createPath = '/v1/payment/checkout/intiate';
const retrievePath = `/v1/payment/checkout/status?id=${sessionId}`;
/** As many connections as our client opens for each of the two calls. */
const connections = 256;

let orders = 0;
/** What the shop knows of an order. */
const nextOrder = () => ({
  merchantOrderId: `${(orders += 1)}~1`,
  currency: 'SAR',
  customerName: 'Noura Al-Qahtani',
  customerEmail: 'noura@example.com',
  customerPhone: '0501234567',
  successUrl: 'https://shop.example/pay/return/success/8Zk3vYpQ0uT1xWcR5mLs7A',
  failureUrl: 'https://shop.example/pay/return/failure/8Zk3vYpQ0uT1xWcR5mLs7A',
});

interface StatusAnswer {
  readonly data: { readonly content: readonly { readonly paymentStatus: string }[] };
}

/** Our client, as a shop makes it. */
function ours(origin: string): Contender {
  const client = createGatewayClient({ environment: 'staging', baseUrl: `${origin}/v1`, apiKey });
  return {
    create: async () => {
      const { customerName, customerEmail, customerPhone, ...order } = nextOrder();
      const customer = { name: customerName, email: customerEmail, phone: customerPhone };
      const link = await client.createPaymentLink({ ...order, amount: '115.00', customer });
      return link.redirectUrl;
    },
    retrieve: async () => {
      const { transactions } = await client.retrieveStatus({ sessionId });
      return transactions[0]?.paymentStatus ?? '';
    },
  };
}

/** The floor: no deadline, no check, no error but a wrong status. */
function rawUndici(origin: string): Contender {
  const pool = new Pool(origin, { connections });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> => {
    const body = content === undefined ? null : JSON.stringify(content);
    const answer = await pool.request({ method, path, headers, body });
    if (answer.statusCode >= 300) throw new Error(`HTTP ${answer.statusCode}`);
    return answer.body.json();
  };
  return {
    create: async () => {
      const link = await send('POST', createPath, { ...nextOrder(), amount: 115 });
      return (link as { readonly redirectUrl: string }).redirectUrl;
    },
    retrieve: async () => {
      const { data } = (await send('GET', retrievePath)) as StatusAnswer;
      return data.content[0]?.paymentStatus ?? '';
    },
  };
}

/**
 * A typed client of another gateway, as its readme sets it up: a checkout session is created with as
 * many fields, and retrieved. Its answers are smaller than those of its gateway.
 */
function stripeNode(origin: string): Contender {
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe(apiKey, { protocol: 'http', host: hostname, port: Number(port) });
  return {
    create: async () => {
      const order = nextOrder();
      const session = await stripe.checkout.sessions.create({
        mode: 'payment',
        client_reference_id: order.merchantOrderId,
        currency: 'sar',
        customer_email: order.customerEmail,
        metadata: { name: order.customerName, phone: order.customerPhone, amount: '115.00' },
        success_url: order.successUrl,
        cancel_url: order.failureUrl,
      });
      return session.url ?? '';
    },
    retrieve: async () => {
      const session = await stripe.checkout.sessions.retrieve(sessionId);
      return session.payment_status;
    },
  };
}

/** Makes a contender, given the gateway's origin. */
const contenders: Readonly<Record<ContenderName, (origin: string) => Contender>> = {
  'raw undici (floor)': rawUndici,
  'our client': ours,
  'stripe-node': stripeNode,
};

/** So many calls, so many of them at a time. */
export interface Work {
  readonly operation: Operation;
  readonly calls: number;
  readonly concurrency: number;
}

/** What the calls took together. */
export type Taken = Readonly<Record<'cpuMicroseconds' | 'wallMicroseconds', number>>;

const [name = '', origin = ''] = process.argv.slice(2);
const contender = contenders[name as ContenderName](origin);
const expected = { create: /^https:\/\/checkout\./, retrieve: /^(?:APPROVED|paid)$/ } as const;

answerParent(async ({ operation, calls, concurrency }: Work): Promise<Taken> => {
  const cpu = process.cpuUsage();
  const seconds = await atATime(concurrency, calls, async () => {
    const answer = await contender[operation]();
    if (!expected[operation].test(answer)) throw new Error(`${name} answered "${answer}".`);
  });
  return { cpuMicroseconds: cpuMicroseconds(cpu), wallMicroseconds: seconds * 1e6 };
});
process.send?.('ready');
