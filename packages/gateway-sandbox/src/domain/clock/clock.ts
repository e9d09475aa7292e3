/**
 * A tenant's clock, in epoch milliseconds: stopped at an instant, or running. A running clock
 * showed `at` when the machine's clock showed `from`, and gains `rate` milliseconds for each
 * millisecond of the machine's.
 */
export type ClockSetting =
  | {
      readonly kind: 'running';
      readonly from: number;
      readonly at: number;
      readonly rate: number;
    }
  | { readonly kind: 'frozen'; readonly at: number };

/** An instant as texts bear it, ISO 8601. */
export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

export const realTime: ClockSetting = { kind: 'running', from: 0, at: 0, rate: 1 };

/** The tenant's instant when the machine's clock says `realNow`. */
export function readClock(setting: ClockSetting, realNow: number): number {
  if (setting.kind === 'frozen') return setting.at;
  return Math.round(setting.at + (realNow - setting.from) * setting.rate);
}

/** When the machine's clock will say that the tenant's has reached `instant`; infinity is never. */
export function realTimeOf(setting: ClockSetting, instant: number): number {
  if (setting.kind === 'running') {
    return Math.ceil(setting.from + (instant - setting.at) / setting.rate);
  }
  return instant <= setting.at ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The clock, stopped at its instant. */
export function frozen(setting: ClockSetting, realNow: number): ClockSetting {
  return { kind: 'frozen', at: readClock(setting, realNow) };
}

/** The clock, running on from its instant. */
export function running(setting: ClockSetting, realNow: number, rate = 1): ClockSetting {
  return { kind: 'running', from: realNow, at: readClock(setting, realNow), rate };
}

/** The clock moved to `instant`; a stopped clock stays stopped, a running one keeps its rate. */
export function movedTo(setting: ClockSetting, instant: number, realNow: number): ClockSetting {
  return setting.kind === 'frozen'
    ? { kind: 'frozen', at: instant }
    : { ...setting, from: realNow, at: instant };
}

/** How much the tenant's clock gains for each millisecond of the machine's; 0 when it is stopped. */
export function rateOf(setting: ClockSetting): number {
  return setting.kind === 'running' ? setting.rate : 0;
}
