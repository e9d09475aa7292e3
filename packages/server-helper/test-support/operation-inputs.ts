import { aLink } from './gateway-calls.ts';

const transactionId = 'f2d5b7c0-0000-4000-8000-000000000001';

/** A card of the sandbox's list. */
export const aCard = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '871',
  holderName: 'Noura Canary',
} as const;

/** An input that the client accepts, for each operation that changes something. */
export const changingInputs: Readonly<Record<string, unknown>> = {
  createPaymentLink: aLink,
  refund: { transactionId, amount: '20.00' },
  capture: { transactionId, amount: '20.00' },
  void: { transactionId },
  chargeRecurring: {
    transactionId,
    recurringToken: 'canary-recurring-token',
    amount: '50.00',
    order: { number: '2001', amount: '50.00', currency: 'SAR', description: 'November' },
  },
  sale: {
    orderId: '1001',
    amount: '115.00',
    auth: 'capture',
    card: aCard,
    customer: aLink.customer,
    successUrl: aLink.successUrl,
    failureUrl: aLink.failureUrl,
  },
  createWebhook: { url: 'https://shop.example/pay/webhook', events: [], active: true },
  updateWebhook: { id: 'wh-1', active: false },
  deleteWebhook: { id: 'wh-1' },
  rotateApiKey: undefined,
  createSdkToken: { name: 'Till 1' },
  updateSdkToken: { id: 'sdk-1', status: 'DISABLED' },
};

/** An input that the client accepts, for each operation that only asks. */
export const askingInputs: Readonly<Record<string, unknown>> = {
  retrieveStatus: { transactionId },
  pollStatus: { transactionId },
  listWebhooks: undefined,
  retrieveCredentials: undefined,
  listSdkTokens: undefined,
};

/** An input that the client accepts, for each operation. */
export const inputs = { ...changingInputs, ...askingInputs };
