import type { ControlDelivery, ProfileName, Sandbox } from '@pay-button/gateway-sandbox';
import { GatewayError, saveOf } from '@pay-button/server-helper';
import type { RequestHandler } from 'express';
import { everyEvent } from '../admin/api.ts';
import type { Shop } from '../shop/orders.ts';
import { qaTexts } from '../texts/qa.ts';
import { type BugId, keepLatest } from './bugs.ts';
import type { ShopClock } from './shop-clock.ts';

/** What testers get when the gateway is the sandbox. */
export interface QaTools {
  readonly sandbox: Sandbox;
  readonly clock: ShopClock;
  /** Where the shop takes webhooks, by a name of this machine. */
  readonly webhookUrl: string;
  /** The bug of every order, from the environment. */
  readonly bug: BugId | undefined;
}

/** The outcomes that a tester can choose, and their names in the sandbox. */
const outcomes = {
  approve: 'approve',
  declined: 'decline',
  insufficient_funds: 'decline:51',
  expired_card: 'decline:54',
  lost_card: 'decline:41',
  over_limit: 'decline:61',
  bank_down: 'decline:91',
} as const satisfies Readonly<Record<keyof typeof qaTexts.outcomes, string>>;

export type OutcomeName = keyof typeof outcomes;

/** Whether a choice is one of the named faults: those that the tools have a text for. */
export function isProfile(text: string): text is keyof typeof qaTexts.profiles {
  return Object.hasOwn(qaTexts.profiles, text);
}

/** Which address the gateway sent a shopper's browser to, and where the shop sent it next. */
export interface BrowserReturn {
  /** Which address the gateway chose. It proves nothing. */
  readonly address: 'success' | 'failure';
  /** Milliseconds since the epoch, on the shop's clock. */
  readonly at: number;
  /** The shop's own page, by the shop's own state. */
  readonly sentTo: string;
}

const INTERVAL_MS = 1_000;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** 48 hours end every payment link, and a quarter of an hour later the shop calls it expired. */
const LINK_LIFETIME = 'PT48H15M';
/** Longer than the kit's pause between two status checks, so that the next payment need not wait. */
const PAUSE = 'PT10S';
/** The new time makes much due at once; this is enough for all that a tester leaves open. */
const MAX_TICKS = 20;

/** Everything that a tester can do to the shop and its sandbox. */
export class TestConsole {
  /** How each order's shopper last came back in this process. The kit does not need this. */
  readonly #returns = new Map<string, BrowserReturn>();
  readonly #tools: QaTools;
  readonly #shop: Shop;
  /** The sandbox's clock, ISO 8601, and the named faults in force, at most a second old. */
  sandbox = { now: '', profile: 'healthy' };
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;
  #subscribing: Promise<void> = Promise.resolve();

  constructor(tools: QaTools, shop: Shop) {
    this.#tools = tools;
    this.#shop = shop;
  }

  /**
   * Subscribes to the sandbox's webhooks, and reads its state again and again, since its own pages and
   * API can change it as well.
   */
  async open(): Promise<void> {
    // A shop without webhooks still sells: the return and the background work find each payment.
    await this.#subscribe().catch((error: unknown) => {
      this.#shop.warn('The sandbox’s webhooks could not be subscribed to', error);
    });
    const follow = () => void (this.#check ??= this.#checkQuietly());
    this.#timer = setInterval(follow, INTERVAL_MS).unref();
    follow();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
  }

  /** Reads the sandbox's state now; the shop's clock follows. */
  async check(): Promise<void> {
    const { sandbox, clock } = this.#tools;
    const { control } = sandbox;
    const askedAt = clock.now();
    const { now } = (await control.info()).clock;
    clock.follow(Date.parse(now), askedAt);
    const { profile } = await control.faults();
    this.sandbox = { now, profile };
  }

  /** A check in the background must not fail: testers put the gateway into trouble on purpose. */
  async #checkQuietly(): Promise<void> {
    try {
      await this.check();
      const once = { operation: 'createWebhook', atLeast: 1 } as const;
      const { ok, complete } = await this.#tools.sandbox.control.verify(once);
      // Somebody has emptied the sandbox.
      if (!ok && complete) await this.#subscribe();
    } catch (error) {
      if (error instanceof GatewayError) return;
      this.#shop.warn('The sandbox could not be read', error);
    } finally {
      this.#check = undefined;
    }
  }

  /** Subscribes to webhooks, one call after the other: two at once would each find none, and make one. */
  #subscribe(): Promise<void> {
    this.#subscribing = this.#subscribing.catch(() => undefined).then(() => this.#renew());
    return this.#subscribing;
  }

  /** Makes a subscription; one of an earlier start on another port is deleted. */
  async #renew(): Promise<void> {
    const { gateway } = this.#shop.payments;
    const { webhookUrl } = this.#tools;
    const { webhooks } = await gateway.listWebhooks();
    for (const { id, url } of webhooks) {
      if (isOfThisShop(url, webhookUrl)) await gateway.deleteWebhook({ id });
    }
    await gateway.createWebhook({ url: webhookUrl, events: everyEvent, active: true });
  }

  /**
   * Watches `/return/…` of the kit's router; mounted before it.
   *
   * @param onReturn - Called at every return.
   */
  watchReturns(
    onReturn: (orderId: string, address: BrowserReturn['address']) => Promise<void>,
  ): RequestHandler {
    return (request, response, next) => {
      const [, address] = /^\/return\/(success|failure)\//.exec(request.path) ?? [];
      if (address !== 'success' && address !== 'failure') return next();
      response.once('finish', () => {
        const location = response.get('Location')?.split('?')[0] ?? '';
        const [sentTo, orderId] = /\/(?:thanks|wait|retry)\/([A-Z0-9]+)$/.exec(location) ?? [];
        if (sentTo === undefined || orderId === undefined) return;
        const at = this.#tools.clock.now();
        keepLatest(this.#returns, orderId, { address, at, sentTo });
        void onReturn(orderId, address);
      });
      next();
    };
  }

  /** Decides the next payment, of any shopper. @returns whether it is an outcome; else the card decides. */
  async decideNext(outcome: string): Promise<boolean> {
    const [, chosen] = Object.entries(outcomes).find(([name]) => name === outcome) ?? [];
    if (chosen !== undefined) await this.#tools.sandbox.control.next({ outcome: chosen });
    return chosen !== undefined;
  }

  /** Replaces the named faults in force. */
  async setProfile(profile: ProfileName): Promise<void> {
    await this.#tools.sandbox.control.setProfile(profile);
    await this.check();
  }

  /** Moves the clocks of the sandbox and the shop past the links' lifetime, and does what is due. */
  async expireLinks(): Promise<void> {
    await this.#tools.sandbox.control.advanceClock({ by: LINK_LIFETIME });
    await this.check();
    for (let ticks = 0; ticks < MAX_TICKS; ticks += 1) {
      const { checked, delivered } = await this.#shop.payments.tick();
      if (checked + delivered === 0) break;
    }
    await this.#tools.sandbox.control.advanceClock({ by: PAUSE });
    await this.check();
  }

  /**
   * Sends the last webhook again: the order's, or the very last.
   *
   * @returns whether there was one.
   */
  async replayWebhook(orderId: string | undefined): Promise<boolean> {
    const last = await this.#lastDelivery(orderId);
    if (last !== undefined) await this.#tools.sandbox.control.replayDelivery(last.id);
    return last !== undefined;
  }

  /** What the browser, the webhook and the status answer say about an order's payment. */
  async sourcesOf(orderId: string) {
    const [delivery, explain] = await Promise.all([
      this.#lastDelivery(orderId),
      this.#shop.payments.explain(orderId),
    ]);
    return { returned: this.#returns.get(orderId), delivery, explain };
  }

  /** The last webhook that was sent, about one order or any. */
  async #lastDelivery(orderId: string | undefined): Promise<ControlDelivery | undefined> {
    const deliveries = await this.#tools.sandbox.control.deliveries();
    return deliveries.findLast(
      ({ merchantOrderId, attempts }) =>
        attempts.length > 0 && (orderId === undefined || isAbout(merchantOrderId, orderId)),
    );
  }

  /** The shop's requests to the gateway about an order, oldest first. */
  async requestsAbout(orderId: string) {
    const requests = await this.#tools.sandbox.control.requests();
    return requests.filter(({ merchantOrderId }) => isAbout(merchantOrderId ?? '', orderId));
  }

  /** Empties the sandbox and lifts its faults; the shop's orders stay and can be paid again. */
  async reset(): Promise<void> {
    const { control } = this.#tools.sandbox;
    await control.setProfile('healthy');
    await control.reset();
    await this.check();
    await this.#subscribe();
  }

  /**
   * Stops offering an order's link when a tester has ended its session: expired it by hand, or emptied
   * the sandbox. A gateway does neither within the 48 hours, and its status does not show it, so only a
   * shop with the sandbox needs this. The attempt is still checked.
   */
  async dropDeadLink(orderId: string): Promise<void> {
    const store = this.#shop.database.payments;
    const record = await store.load(orderId);
    const offered = record?.attempts.find(
      ({ state, redirectUrl }) => state === 'open' && redirectUrl !== null,
    );
    if (record === null || offered === undefined || offered.sessionId === null) return;
    const { control } = this.#tools.sandbox;
    const details = await control.session(offered.sessionId).catch((error: unknown) => {
      if ((error as { readonly status?: number }).status !== 404) throw error;
    });
    if (details !== undefined && details.session.state !== 'EXPIRED') return;
    const { payment } = record;
    // When another process changes the payment meanwhile, this commit fails; the next click retries.
    const now = this.#tools.clock.now();
    const change = {
      payment: { ...payment, version: payment.version + 1, updatedAt: now },
      attempts: [{ ...offered, redirectUrl: null }],
      ledger: [],
      reviews: [],
      operations: [],
      events: [],
    };
    await store.save(saveOf(record, change, now));
  }
}

/** The gateway knows an order by its id and the number of the attempt. */
function isAbout(merchantOrderId: string, orderId: string): boolean {
  return merchantOrderId.startsWith(`${orderId}~`);
}

function isOfThisShop(url: string, webhookUrl: string): boolean {
  const other = URL.parse(url);
  if (other === null || !LOOPBACK.test(other.hostname)) return false;
  return other.pathname === new URL(webhookUrl).pathname;
}
