import { ORDER, PRICE, type MatrixShop } from './shop.ts';

/** One way that an order may go. */
export interface Journey {
  readonly name: JourneyName;
  /** Whether the gateway notifies the shop by webhook. */
  readonly hasWebhook: boolean;
  /** The payment's states with which the journey ends well. */
  readonly ends: readonly string[];
  readonly play: (shop: MatrixShop) => Promise<void>;
}

const SECOND = 1_000;
const HOUR = 3_600_000;
const unpaid = ['failed', 'expired'];

/** A card that a sale charges without a challenge. */
export const CARD = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura',
};

/** Pays as most shoppers do: on the page, and back. */
async function payAndReturn(shop: MatrixShop): Promise<void> {
  const address = await shop.pay(await shop.link(), 'approved');
  if (address !== null) await shop.comeBack(address);
  await shop.pass(SECOND);
}

/** Pays, and goes away. */
async function payAndLeave(shop: MatrixShop): Promise<void> {
  await shop.pay(await shop.link(), 'approved');
}

async function refund(shop: MatrixShop, amount: string): Promise<void> {
  await shop.payments.refund(ORDER, { amount, requestId: amount });
  await shop.pass(10 * SECOND);
}

/** Holds the price on a card. */
async function authorize(shop: MatrixShop): Promise<void> {
  await shop.payments.sale(ORDER, { auth: 'authorize', card: CARD, requestId: 'sale' });
  await shop.pass(SECOND);
}

/** How each order goes; by itself no webhook comes, and it ends paid. */
const plays = {
  return: { play: payAndReturn },
  webhook: {
    hasWebhook: true,
    play: async (shop) => {
      await payAndLeave(shop);
      await shop.pass(SECOND);
    },
  },
  neither: { play: payAndLeave },
  lost: {
    hasWebhook: true,
    play: async (shop) => {
      await shop.control.addFault({ place: 'delivery', kind: 'drop' });
      await payAndLeave(shop);
      await shop.pass(SECOND);
    },
  },
  'decline, pay': {
    play: async (shop) => {
      const page = await shop.link();
      const left = await shop.pay(page, 'declined');
      if (left !== null) await shop.comeBack(left);
      await shop.pass(20 * SECOND);
      // An order is not asked about twice within 5 seconds, and a new link needs a fresh answer.
      await shop.pass(6 * SECOND);
      // A page that sends the shopper away is opened anew by the shop's button.
      const address = await shop.pay(left === null ? page : await shop.link(), 'approved');
      if (address !== null) await shop.comeBack(address);
    },
  },
  '3 declines': {
    ends: unpaid,
    play: async (shop) => {
      const page = await shop.link();
      let left: string | null = null;
      for (let card = 0; card < 3 && left === null; card += 1) {
        left = await shop.pay(page, 'declined');
      }
      if (left !== null) await shop.comeBack(left);
    },
  },
  abandon: { ends: unpaid, play: async (shop) => void (await shop.link()) },
  twice: {
    play: async (shop) => {
      const first = await shop.link();
      await shop.pass(6 * SECOND);
      const second = await shop.link();
      if (first !== second) throw new Error('a second link was offered beside a payable one');
      await shop.pay(second, 'approved');
      await shop.pass(6 * SECOND);
      await shop.checkout();
    },
  },
  repriced: {
    play: async (shop) => {
      await shop.link();
      await shop.pass(6 * SECOND);
      shop.price = '120.00';
      await payAndReturn(shop);
    },
  },
  refund: {
    ends: ['refunded'],
    play: async (shop) => {
      await payAndReturn(shop);
      await refund(shop, '15.00');
      await refund(shop, '100.00');
    },
  },
  dashboard: {
    ends: ['partially_refunded'],
    play: async (shop) => {
      await payAndReturn(shop);
      const [row] = await shop.money();
      if (row === undefined) throw new Error('the gateway has no money');
      const { transactionId } = row;
      await shop.payments.gateway.refund({ transactionId, amount: '20.00' });
      await shop.pass(2 * HOUR);
    },
  },
  capture: {
    ends: ['captured'],
    play: async (shop) => {
      await authorize(shop);
      await shop.payments.capture(ORDER, { amount: PRICE, requestId: 'capture' });
    },
  },
  void: {
    ends: ['voided'],
    play: async (shop) => {
      await authorize(shop);
      await shop.payments.void(ORDER, { requestId: 'void' });
    },
  },
  recurring: {
    play: async (shop) => {
      const sale = { auth: 'capture', card: CARD, requestId: 'sale', recurring: true } as const;
      await shop.payments.sale(ORDER, sale);
      await shop.pass(SECOND);
      const charge = { amount: '20.00', periodKey: '2026-12' };
      const { state } = await shop.payments.chargeRecurring(ORDER, charge);
      if (state !== 'succeeded') throw new Error(`the recurring charge is ${state}`);
    },
  },
} satisfies Readonly<Record<string, Pick<Journey, 'play'> & Partial<Omit<Journey, 'name'>>>>;

export type JourneyName = keyof typeof plays;
export const journeyNames = Object.keys(plays) as readonly JourneyName[];

export const journeys: readonly Journey[] = journeyNames.map((name) => ({
  name,
  hasWebhook: false,
  ends: ['paid'],
  ...plays[name],
}));
