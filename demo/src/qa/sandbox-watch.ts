import type { ControlClient } from '@pay-button/gateway-sandbox';
import { GatewayError } from '@pay-button/server-helper';
import type { Warn } from '../http/warn.ts';
import type { ShopClock } from './shop-clock.ts';
import type { WebhookSubscription } from './webhook-subscription.ts';

/** What the drawer tells of the sandbox. */
export interface Weather {
  /** The sandbox's clock, ISO 8601. */
  readonly now: string;
  /** The named faults in force. */
  readonly profile: string;
}

const PAUSE_MS = 1_000;

/** Looks at the sandbox again and again, since its own pages and API can change it as well. */
export class SandboxWatch {
  readonly #control: Pick<ControlClient, 'info' | 'faults'>;
  readonly #clock: ShopClock;
  readonly #subscription: WebhookSubscription;
  readonly #warn: Warn;
  #weather: Weather = { now: '', profile: 'healthy' };
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;

  constructor(
    control: Pick<ControlClient, 'info' | 'faults'>,
    clock: ShopClock,
    subscription: WebhookSubscription,
    warn: Warn,
  ) {
    this.#warn = warn;
    this.#control = control;
    this.#clock = clock;
    this.#subscription = subscription;
  }

  get weather(): Weather {
    return this.#weather;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#glance(), PAUSE_MS).unref();
    void this.#glance();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
  }

  /** Looks now: the clock follows, and what the sandbox was told to forget is told to it again. */
  async check(): Promise<void> {
    const askedAt = this.#clock.now();
    const { clock } = await this.#control.info();
    this.#clock.follow(Date.parse(clock.now), askedAt);
    const { profile } = await this.#control.faults();
    this.#weather = { now: clock.now, profile };
  }

  /** A look that must not fail. A gateway in trouble is what testers make, and no news. */
  async #glance(): Promise<void> {
    this.#check ??= this.check()
      .then(() => this.#subscription.renewAfterReset())
      .catch((error: unknown) => {
        if (!(error instanceof GatewayError))
          this.#warn('The sandbox could not be looked at', error);
      })
      .finally(() => {
        this.#check = undefined;
      });
    await this.#check;
  }
}
