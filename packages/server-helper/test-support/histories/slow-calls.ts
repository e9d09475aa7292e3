import type { Chance } from './chance.ts';
import type { FaultProfile } from './action.ts';
import { world, type Timeline, type Waiter } from './timeline.ts';

/** What becomes of a call: it may fail, or never be answered, before or after it was done. */
export type Fate = 'ok' | 'fails-before' | 'fails-after' | 'hangs-before' | 'hangs-after';

/** The error of a store that failed, or whose connection broke. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

const bad = ['fails-before', 'fails-after', 'hangs-before', 'hangs-after'] as const;

/** Every driver gives up a connection without an answer by then. */
const LONGEST_HANG_MS = 3_600_000;

/** What is called, in words; asked only when somebody wants to read a history. */
export type Label = () => string;

/**
 * Calls that take time, both ways, and fail by chance. What was sent arrives, whether its sender
 * still lives or not; only the living hear the answer.
 */
export class SlowCalls {
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #faultProfile: FaultProfile;
  /** Hears of each call when it arrives. */
  onCall: ((waiter: Waiter, label: Label, fate: Fate) => void) | undefined;
  #areFaultsOver = false;
  #hung: { readonly waiter: Waiter; readonly reject: (error: unknown) => void }[] = [];

  /** Whether a call takes time by chance. */
  readonly #takesTime: boolean;

  constructor(timeline: Timeline, chance: Chance, faultProfile: FaultProfile, takesTime = true) {
    this.#timeline = timeline;
    this.#chance = chance;
    this.#faultProfile = faultProfile;
    this.#takesTime = takesTime;
  }

  /** Ends all faults; a call that hangs fails, as with a lost connection. */
  heal(): void {
    this.#areFaultsOver = true;
    for (const { waiter, reject } of this.#hung) {
      if (!waiter.isDead) reject(new StoreFault('the connection was lost'));
    }
    this.#hung = [];
  }

  isUnlucky(share: number): boolean {
    return !this.#areFaultsOver && share > 0 && this.#chance.is(share);
  }

  toStore<T>(waiter: Waiter, label: Label, work: () => Promise<T>): Promise<T> {
    const fate = this.isUnlucky(this.#faultProfile.storeFaults) ? this.#chance.pick(bad) : 'ok';
    return this.#call(waiter, { label, work, fate }, this.#wait(3, 2_000));
  }

  toGateway<T>(waiter: Waiter, label: Label, work: () => Promise<T>): Promise<T> {
    return this.#call(waiter, { label, work, fate: 'ok' }, this.#wait(120, 4_500));
  }

  #call<T>(
    waiter: Waiter,
    { label, work, fate }: { label: Label; work: () => Promise<T>; fate: Fate },
    [thereMs, backMs]: readonly [number, number],
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const hear = (tell: () => void): void => void this.#timeline.in(backMs, waiter, tell);
      const fail = (): void => reject(new StoreFault(fate));
      this.#timeline.in(thereMs, world, () => {
        this.onCall?.(waiter, label, fate);
        if (fate === 'fails-before') return hear(fail);
        const hang = (): void => {
          // A call that was under way when the faults ended fails as well.
          if (this.#areFaultsOver) return hear(fail);
          this.#hung.push({ waiter, reject });
          this.#timeline.in(LONGEST_HANG_MS, waiter, fail);
        };
        if (fate === 'hangs-before') return hang();
        const answer = (ending: () => void): void => {
          if (fate === 'hangs-after') hang();
          else hear(fate === 'fails-after' ? fail : ending);
        };
        // Not waited for here: an answer may never come.
        work().then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  #wait(usualMs: number, slowMs: number): readonly [number, number] {
    if (!this.#takesTime) return [0, 0];
    const most = this.isUnlucky(this.#faultProfile.slowness) ? slowMs : usualMs;
    return [this.#chance.whole(0, most), this.#chance.whole(0, most)];
  }
}
