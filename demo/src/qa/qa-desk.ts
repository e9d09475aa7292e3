import type { Payments } from '@pay-button/server-helper';
import type { ControlDelivery, ProfileName } from '@pay-button/gateway-sandbox';
import type { Warn } from '../http/warn.ts';
import { BrowserReturns } from './browser-returns.ts';
import { letGoOfDeadLink, type LinkStore } from './dead-links.ts';
import { type OutcomeName, outcomes } from './outcomes.ts';
import type { QaTools } from './qa-tools.ts';
import { SandboxWatch } from './sandbox-watch.ts';
import { WebhookSubscription } from './webhook-subscription.ts';

/** 48 hours end every payment link, and a quarter of an hour later the shop calls it expired. */
const LEAP = 'PT48H15M';
/** Longer than the kit's pause between two questions: whoever pays next need not wait for it. */
const BREATH = 'PT10S';
/** A leap makes much due at once; this is enough for whatever a tester has lying about. */
const MAX_TICKS = 20;

/** What the tools are used on. */
export interface DeskParts {
  readonly payments: Payments;
  readonly database: { readonly payments: LinkStore };
  readonly warn: Warn;
}

/** Everything a tester can do to the shop and its sandbox. */
export class QaDesk {
  readonly returns: BrowserReturns;
  readonly #tools: QaTools;
  readonly #payments: Payments;
  readonly #store: LinkStore;
  readonly #warn: Warn;
  readonly #watch: SandboxWatch;
  readonly #subscription: WebhookSubscription;

  constructor(tools: QaTools, { payments, database, warn }: DeskParts) {
    const { control, clock, webhookUrl } = tools;
    this.#tools = tools;
    this.#payments = payments;
    this.#store = database.payments;
    this.#warn = warn;
    this.returns = new BrowserReturns(() => clock.now());
    this.#subscription = new WebhookSubscription(payments.gateway, control, webhookUrl);
    this.#watch = new SandboxWatch(control, clock, this.#subscription, warn);
  }

  /** The sandbox's clock and faults, as seen a moment ago. */
  get weather(): SandboxWatch['weather'] {
    return this.#watch.weather;
  }

  get sandboxUrl(): string {
    return this.#tools.sandboxUrl;
  }

  /** Subscribes to the sandbox's webhooks and keeps an eye on it. */
  async open(): Promise<void> {
    // A shop without webhooks still sells: the return and the watch tell it what happened.
    await this.#subscription.renew().catch((error: unknown) => {
      this.#warn('The sandbox’s webhooks could not be subscribed to', error);
    });
    this.#watch.start();
  }

  close(): Promise<void> {
    return this.#watch.stop();
  }

  /** Decides the next payment, whoever makes it. */
  async decideNext(outcome: OutcomeName): Promise<void> {
    await this.#tools.control.next({ outcome: outcomes[outcome] });
  }

  /** Puts named faults in force, in place of those before. */
  async setWeather(profile: ProfileName): Promise<void> {
    await this.#tools.control.setProfile(profile);
    await this.#watch.check();
  }

  /** Moves the sandbox's clock and the shop's, and does what has fallen due. */
  async leap(): Promise<void> {
    await this.#tools.control.advanceClock({ by: LEAP });
    await this.#watch.check();
    for (let ticks = 0; ticks < MAX_TICKS; ticks += 1) {
      const { checked, delivered } = await this.#payments.tick();
      if (checked + delivered === 0) break;
    }
    await this.#tools.control.advanceClock({ by: BREATH });
    await this.#watch.check();
  }

  /**
   * Sends the last webhook once more: the order's, or the very last.
   *
   * @returns whether there was one.
   */
  async replayWebhook(orderId: string | undefined): Promise<boolean> {
    const last = await this.lastDelivery(orderId);
    if (last === undefined) return false;
    await this.#tools.control.replayDelivery(last.id);
    return true;
  }

  /** The last webhook that went out, about one order or any. */
  async lastDelivery(orderId: string | undefined): Promise<ControlDelivery | undefined> {
    const deliveries = await this.#tools.control.deliveries();
    return deliveries.findLast(
      ({ merchantOrderId, attempts }) =>
        attempts.length > 0 && (orderId === undefined || isOf(merchantOrderId, orderId)),
    );
  }

  /** What the gateway was asked about an order, oldest first. */
  async requestsAbout(orderId: string) {
    const requests = await this.#tools.control.requests();
    return requests.filter(({ merchantOrderId }) => isOf(merchantOrderId ?? '', orderId));
  }

  /** Empties the sandbox and lifts its faults; the shop's orders stay and can be paid again. */
  async reset(): Promise<void> {
    const { control } = this.#tools;
    await control.setProfile('healthy');
    await control.reset();
    await this.#watch.check();
    await this.#subscription.renew();
  }

  /** Lets a shopper pay again when a tester has ended the order's session. */
  async letGoOfDeadLink(orderId: string): Promise<void> {
    await letGoOfDeadLink({ store: this.#store, ...this.#tools }, orderId);
  }
}

/** The gateway knows an order by its id and the number of the attempt. */
function isOf(merchantOrderId: string, orderId: string): boolean {
  return merchantOrderId.startsWith(`${orderId}~`);
}
