import {
  createGatewayClient,
  type GatewayClient,
  type PaymentLinkInput,
  type SaleInput,
} from '@pay-button/server-helper';
import type { Sandbox } from '@pay-button/gateway-sandbox';

const pages = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };

/** A link as our own client takes it. */
export const linkOf = (merchantOrderId: string): PaymentLinkInput => ({
  merchantOrderId,
  amount: '115.00',
  customer: { phone: '0501234567' },
  ...pages,
});

/** A sale as our own client takes it, which stores the card. */
export const saleOf = (orderId: string): SaleInput => ({
  orderId,
  amount: '115.00',
  currency: 'SAR',
  auth: 'capture',
  recurring: true,
  card: {
    number: '5123450000000008',
    expiryMonth: '12',
    expiryYear: '2039',
    cvv: '123',
    holderName: 'Noura',
  },
  customer: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
  ...pages,
});

/** What the merchant does at the gateway, which the control API then looks at. */
export class Merchant {
  readonly gateway: GatewayClient;
  #orders = 0;

  constructor({ baseUrl, apiKey, portal }: Sandbox) {
    this.gateway = createGatewayClient({ environment: 'staging', baseUrl, apiKey, portal });
  }

  /** The parameters of a call about a session that can be paid. */
  async newSession(): Promise<{ readonly params: { readonly path: { readonly id: string } } }> {
    const { sessionId } = await this.gateway.createPaymentLink(
      linkOf(`order-${(this.#orders += 1)}`),
    );
    return { params: { path: { id: sessionId } } };
  }
}
