/**
 * One contender in a process of its own, so that neither the code that another warmed up nor the
 * garbage that another left is in its figures. Works when told to, and says what that took.
 */
import { createGatewayClient } from '@pay-button/server-helper';
import { answerParent, cpuMicroseconds } from '../child.ts';
import { byHand, type Calls, withStripe } from '../engine/other-shops.ts';
import { atATime } from '../measured.ts';
import { apiKey, orderOf } from '../our-payments.ts';

/** The two calls that every payment makes. */
export type Operation = 'create' | 'retrieve';
export type ContenderName = 'raw undici (floor)' | 'our client' | 'stripe-node';

const back = 'https://shop.example/pay/return/success/8Zk3vYpQ0uT1xWcR5mLs7A';
/** The gateway takes it for a session of 1970, which is paid. */
const sessionId = '5e551040-7d3c-4b52-9a7e-000000000001';

/** Our client, as a shop makes it. */
function ours(origin: string): Calls {
  const client = createGatewayClient({ environment: 'staging', baseUrl: `${origin}/v1`, apiKey });
  return {
    createLink: async ({ orderId, amount, currency, customer }) => {
      const order = { merchantOrderId: orderId, amount, currency, customer };
      const addresses = { successUrl: back, failureUrl: back };
      const link = await client.createPaymentLink({ ...order, ...addresses });
      return { id: link.sessionId, redirectUrl: link.redirectUrl };
    },
    findPayment: async () => {
      const { transactions } = await client.retrieveStatus({ sessionId });
      return transactions.find((row) => row.paymentStatus === 'APPROVED')?.transactionId;
    },
  };
}

/** Makes a contender, given the gateway's origin. */
const contenders: Readonly<Record<ContenderName, (origin: string) => Calls>> = {
  'raw undici (floor)': (origin) => byHand(`${origin}/v1`),
  'our client': ours,
  'stripe-node': withStripe,
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
const client = contenders[name as ContenderName](origin);
let orders = 0;
const answers: Readonly<Record<Operation, () => Promise<string | null | undefined>>> = {
  create: async () => (await client.createLink(orderOf(`${(orders += 1)}~1`), back)).redirectUrl,
  retrieve: () => client.findPayment({ session_id: sessionId, amount: '115.00' }),
};

answerParent(async ({ operation, calls, concurrency }: Work): Promise<Taken> => {
  const cpu = process.cpuUsage();
  const seconds = await atATime(concurrency, calls, async () => {
    if (!(await answers[operation]())) throw new Error(`${name} found nothing by ${operation}.`);
  });
  return { cpuMicroseconds: cpuMicroseconds(cpu), wallMicroseconds: seconds * 1e6 };
});
process.send?.('ready');
