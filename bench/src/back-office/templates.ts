import { setTimeout } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { Payments, Store } from '@pay-button/server-helper';
import { ourPayments } from '../our-payments.ts';

/**
 * How a payment can stand, in how many templates of different prices, and which of the numbers from 1 on
 * do, the latest first. The first that holds counts.
 */
const endings = {
  pending: { prices: 1, when: (n) => n <= 25 },
  review: { prices: 1, when: (n) => n % 3_000 === 7 },
  proposed: { prices: 1, when: (n) => n % 20_000 === 11 },
  expired: { prices: 3, when: (n) => n > 1_000 && n % 11 === 2 },
  declined: { prices: 3, when: (n) => n > 1_000 && n % 16 === 9 },
  refunded: { prices: 2, when: (n) => n > 1_000 && n % 25 === 3 },
  refundedInPart: { prices: 2, when: (n) => n > 1_000 && n % 33 === 5 },
  paid: { prices: 24, when: (n) => n > 0 },
} satisfies Readonly<Record<string, { prices: number; when: (n: number) => boolean }>>;
type Ending = keyof typeof endings;

const nameOf = (ending: string): string => `template-${ending}-`;

/** The orders of the templates. A pending one comes last, since the time of the others passes. */
const templates = Object.entries(endings)
  .flatMap(([ending, { prices }]) =>
    Array.from({ length: prices }, (_, index) => ({
      ending: ending as Ending,
      orderId: nameOf(ending) + String(index),
    })),
  )
  .toReversed();

/** The template of a number. */
export function templateOf(n: number): string {
  const [ending = '', { prices } = endings.paid] =
    Object.entries(endings).find(([, { when }]) => when(n)) ?? [];
  return nameOf(ending) + String(n % prices);
}

/**
 * Takes some orders to each of these ends at the sandbox, by the product itself, so that their rows
 * are those of a real shop.
 */
export async function makeTemplates(store: Store<unknown>): Promise<void> {
  const sandbox = await startSandbox({ port: 0 });
  let passed = 0;
  const asked = new Set<string>();
  const payments = ourPayments(sandbox.baseUrl, store, {
    gateway: { environment: 'staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey },
    loadOrder: (orderId) => {
      const index = templates.findIndex((one) => one.orderId === orderId);
      // Another price than the link's brings the money before a person.
      const more = orderId.startsWith(nameOf('review')) && asked.has(orderId) ? 10 : 0;
      asked.add(orderId);
      return { orderId, amount: `${35 + index * 23 + more}.00`, customer: { phone: '0501234567' } };
    },
    on: { paid: () => undefined },
    clock: {
      now: () => Date.now() + passed,
      sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    },
  });
  const isPending = ({ ending }: (typeof templates)[number]): boolean => ending === 'pending';
  const others = templates.filter((one) => !isPending(one));
  for (const { orderId, ending } of others) await play(payments, sandbox, orderId, ending);
  // Links end, the gateway settles refunds, and all events are delivered.
  passed = 49 * 3_600_000;
  await sandbox.control.advanceClock({ by: 'PT49H' });
  for (const { orderId } of others) await payments.confirm(orderId);
  while ((await payments.tick()).delivered > 0);
  for (const { orderId } of templates.filter(isPending)) await payments.ensureLink(orderId);
  await sandbox.close();
}

/** Takes an order as far as it goes in one go. */
async function play(
  payments: Payments,
  { control }: Sandbox,
  orderId: string,
  ending: Ending,
): Promise<void> {
  const { redirectUrl } = await payments.ensureLink(orderId);
  if (ending === 'expired') return;
  if (ending === 'declined') await control.next({ outcome: 'decline:51' });
  const sessionId = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  await control.pay(sessionId, { card: { number: '4201320111111010' } });
  const amount = (await payments.confirm(orderId))?.amount ?? '';
  const refund = { requestId: `refund-${orderId}`, amount: '15.00', by: 'Noura' };
  if (ending === 'refunded') await payments.refund(orderId, { ...refund, amount });
  if (ending === 'refundedInPart') await payments.refund(orderId, refund);
  if (ending === 'proposed') await payments.refund(orderId, { ...refund, propose: true });
}
