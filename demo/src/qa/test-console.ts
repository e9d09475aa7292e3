import type { ControlDelivery, ProfileName } from '@pay-button/gateway-sandbox';
import type { Payments } from '@pay-button/server-helper';
import type { BugId } from '../bugs/bugs.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import type { Warn } from '../http/problem.ts';
import { BrowserReturns } from './browser-returns.ts';
import { dropDeadLink, type LinkStore } from './dead-links.ts';
import { type OutcomeName, outcomes } from './outcomes.ts';
import { type QaTools, SandboxWatch } from './sandbox-watch.ts';

/** The parts of the shop that the testers' tools work with. */
export interface QaDependencies {
  readonly database: Pick<
    ShopDatabase<never>,
    'saveOrder' | 'findOrder' | 'countFulfilments' | 'shipUnpaid'
  > & { readonly payments: LinkStore };
  readonly payments: Payments;
  readonly publicUrl: string;
  readonly now: () => number;
  /** The bug of every order, from the environment. */
  readonly bug: BugId | undefined;
  readonly warn: Warn;
}

/** 48 hours end every payment link, and a quarter of an hour later the shop calls it expired. */
const LINK_LIFETIME = 'PT48H15M';
/** Longer than the kit's pause between two status checks, so that the next payment need not wait. */
const PAUSE = 'PT10S';
/** The new time makes much due at once; this is enough for all that a tester leaves open. */
const MAX_TICKS = 20;

/** Everything that a tester can do to the shop and its sandbox. */
export class TestConsole {
  readonly returns: BrowserReturns;
  readonly #tools: QaTools;
  readonly #shop: QaDependencies;
  readonly #watch: SandboxWatch;

  constructor(tools: QaTools, shop: QaDependencies) {
    this.#tools = tools;
    this.#shop = shop;
    this.returns = new BrowserReturns(() => tools.clock.now());
    this.#watch = new SandboxWatch(tools, shop.payments.gateway, shop.warn);
  }

  /** The sandbox's clock and faults, at most a second old. */
  get sandbox(): SandboxWatch['state'] {
    return this.#watch.state;
  }

  get sandboxUrl(): string {
    return this.#tools.sandboxUrl;
  }

  /** Subscribes to the sandbox's webhooks and watches the sandbox. */
  async open(): Promise<void> {
    // A shop without webhooks still sells: the return and the background work find each payment.
    await this.#watch.subscribe().catch((error: unknown) => {
      this.#shop.warn('The sandbox’s webhooks could not be subscribed to', error);
    });
    this.#watch.start();
  }

  close(): Promise<void> {
    return this.#watch.stop();
  }

  /** Decides the next payment, of any shopper. */
  async decideNext(outcome: OutcomeName): Promise<void> {
    await this.#tools.control.next({ outcome: outcomes[outcome] });
  }

  /** Replaces the named faults in force. */
  async setProfile(profile: ProfileName): Promise<void> {
    await this.#tools.control.setProfile(profile);
    await this.#watch.check();
  }

  /** Moves the clocks of the sandbox and the shop past the links' lifetime, and does what is due. */
  async expireLinks(): Promise<void> {
    await this.#tools.control.advanceClock({ by: LINK_LIFETIME });
    await this.#watch.check();
    for (let ticks = 0; ticks < MAX_TICKS; ticks += 1) {
      const { checked, delivered } = await this.#shop.payments.tick();
      if (checked + delivered === 0) break;
    }
    await this.#tools.control.advanceClock({ by: PAUSE });
    await this.#watch.check();
  }

  /**
   * Sends the last webhook again: the order's, or the very last.
   *
   * @returns whether there was one.
   */
  async replayWebhook(orderId: string | undefined): Promise<boolean> {
    const last = await this.lastDelivery(orderId);
    if (last === undefined) return false;
    await this.#tools.control.replayDelivery(last.id);
    return true;
  }

  /** The last webhook that was sent, about one order or any. */
  async lastDelivery(orderId: string | undefined): Promise<ControlDelivery | undefined> {
    const deliveries = await this.#tools.control.deliveries();
    return deliveries.findLast(
      ({ merchantOrderId, attempts }) =>
        attempts.length > 0 && (orderId === undefined || isAbout(merchantOrderId, orderId)),
    );
  }

  /** The shop's requests to the gateway about an order, oldest first. */
  async requestsAbout(orderId: string) {
    const requests = await this.#tools.control.requests();
    return requests.filter(({ merchantOrderId }) => isAbout(merchantOrderId ?? '', orderId));
  }

  /** Empties the sandbox and lifts its faults; the shop's orders stay and can be paid again. */
  async reset(): Promise<void> {
    const { control } = this.#tools;
    await control.setProfile('healthy');
    await control.reset();
    await this.#watch.check();
    await this.#watch.subscribe();
  }

  /**
   * Takes over the sandbox's clock before a checkout begins. A checkout whose clock moves would end as
   * if the gateway did not answer.
   */
  async followClock(): Promise<void> {
    await this.#watch.check();
  }

  /** Lets a shopper pay again when a tester has ended the order's session. */
  async dropDeadLink(orderId: string): Promise<void> {
    await dropDeadLink({ store: this.#shop.database.payments, ...this.#tools }, orderId);
  }
}

/** The gateway knows an order by its id and the number of the attempt. */
function isAbout(merchantOrderId: string, orderId: string): boolean {
  return merchantOrderId.startsWith(`${orderId}~`);
}
