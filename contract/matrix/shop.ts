import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ControlClient, Sandbox, TenantInfo } from '@pay-button/gateway-sandbox';
import {
  createGatewayClient,
  createPayments,
  saleHash,
  type GatewayClientOptions,
  type GatewayProfile,
  type Payments,
} from '@pay-button/server-helper';
import { manualClock, memoryStore, type ManualClock } from '@pay-button/server-helper/testing';

export const cards = {
  approved: '4201320111111010',
  declined: '4201320000311101',
} as const;

export const ORDER = '1001';
export const PRICE = '115.00';

/**
 * A shop with one order, on the memory store and in virtual time, and a shopper. Its gateway is a
 * tenant of the sandbox, which it reaches over HTTP, as the sandbox reaches the shop's webhook.
 */
export class MatrixShop {
  readonly control: ControlClient;
  readonly payments: Payments;
  /** The types of the events that were committed, in their order. */
  readonly committed: string[] = [];
  /** The price that `loadOrder` answers. */
  price = PRICE;
  readonly #clock: ManualClock;
  readonly #server: Server;
  readonly #url: string;
  #forms = 0;

  private constructor(
    control: ControlClient,
    clock: ManualClock,
    server: Server,
    own: { readonly gateway: GatewayClientOptions; readonly webhookSecrets?: readonly string[] },
  ) {
    this.control = control;
    this.#clock = clock;
    this.#server = server;
    this.#url = addressOf(server);
    this.payments = createPayments({
      ...own,
      publicUrl: this.#url,
      tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
      store: memoryStore(),
      clock,
      random: () => 0,
      loadOrder: (orderId) => ({
        orderId,
        amount: this.price,
        customer: { name: 'نورة', email: 'noura@shop.example', phone: '0501234567' },
      }),
      inTransaction: (_transaction, event) => void this.committed.push(event.type),
      pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
      limits: false,
    });
    server.on('request', this.payments.router());
  }

  /** @param hasWebhook - Whether the gateway knows the shop's address for webhooks. */
  static async open(
    sandbox: Sandbox,
    profile: GatewayProfile,
    hasWebhook: boolean,
  ): Promise<MatrixShop> {
    const tenant = await sandbox.control.openTenant();
    const control = sandbox.control.forTenant(tenant.id);
    const { now } = await control.freezeClock();
    const gateway = gatewayOf(tenant, profile);
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const webhook = `${addressOf(server)}/pay/webhook`;
    const secret = hasWebhook ? await webhookSecret(gateway, webhook) : null;
    const own = secret === null ? { gateway } : { gateway, webhookSecrets: [secret] };
    return new MatrixShop(control, manualClock(Date.parse(now)), server, own);
  }

  /** The button is pressed: the address of the gateway's page, or the code of the refusal. */
  async checkout(): Promise<{ readonly page: string } | { readonly refused: string }> {
    const { status, json } = await this.#ask('POST', '/pay/checkout', { orderId: ORDER });
    return status === 201
      ? { page: String(json['redirectUrl']) }
      : { refused: typeof json['code'] === 'string' ? json['code'] : String(status) };
  }

  /** The page of a checkout that has to work. */
  async link(): Promise<string> {
    const answer = await this.checkout();
    if ('page' in answer) return answer.page;
    throw new Error(`the checkout was refused: ${answer.refused}`);
  }

  /** Sends a card from the gateway's page. Answers the shop's address that the browser is sent to. */
  async pay(page: string, card: keyof typeof cards): Promise<string | null> {
    this.#forms += 1;
    const fields = { number: cards[card], expiry: '12/39', cvv: '123', formKey: `${this.#forms}` };
    const body = new URLSearchParams(fields);
    const { headers, status } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    const location = headers.get('location');
    if (status !== 303 || location === null) throw new Error(`the page answered ${status}`);
    return new URL(location, page).pathname.startsWith('/pay/return') ? location : null;
  }

  /** The shopper's browser follows an address back to the shop. */
  async comeBack(address: string): Promise<void> {
    await (await fetch(address, { redirect: 'manual' })).arrayBuffer();
  }

  /** Lets the time of both sides pass, webhooks arrive, and the shop's background work be done. */
  async pass(milliseconds: number): Promise<void> {
    await this.control.advanceClock({ by: `PT${milliseconds / 1_000}S` });
    await this.#clock.advance(milliseconds);
    for (let tries = 0; tries < 200; tries += 1) {
      if ((await this.control.deliveries({ state: 'sending' })).length === 0) break;
    }
    await this.payments.tick();
  }

  /** What `GET /health` finds. */
  async health(): Promise<readonly string[]> {
    const { json } = await this.#ask('GET', '/pay/health');
    return (json['findings'] ?? [String(json['status'])]) as string[];
  }

  /** The transaction that holds the order's money, by the gateway's own books. */
  async money() {
    const ledger = await this.control.ledger();
    return ledger.filter(({ authorized, captured }) => Number(authorized) + Number(captured) > 0);
  }

  async close(): Promise<void> {
    await this.payments.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #ask(method: string, path: string, body?: object) {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Readonly<Record<string, unknown>>;
    return { status: answer.status, json };
  }
}

function gatewayOf(tenant: TenantInfo, profile: GatewayProfile): GatewayClientOptions {
  const { baseUrl, apiKey, portal, salePassword: password } = tenant;
  const gateway = { environment: 'staging', baseUrl, apiKey, portal, profile } as const;
  if (profile.sale?.hash !== 'required') return gateway;
  return {
    ...gateway,
    saleHash: ({ email, cardNumber }) => saleHash({ email, password, cardNumber }),
  };
}

/** Registers a shop for notifications; answers the secret that signs them, if there is one. */
async function webhookSecret(gateway: GatewayClientOptions, url: string): Promise<string | null> {
  const client = createGatewayClient(gateway);
  try {
    return (await client.createWebhook({ url, events: [], active: true })).secret;
  } finally {
    await client.close();
  }
}

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
