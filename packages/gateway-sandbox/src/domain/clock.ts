/** A tenant's clock: real time with an offset, or stopped at an instant (epoch milliseconds). */
export type ClockSetting =
  | { readonly kind: 'running'; readonly offsetMs: number }
  | { readonly kind: 'frozen'; readonly at: number };

export const realTime: ClockSetting = { kind: 'running', offsetMs: 0 };

/** The tenant's instant when the machine's clock says `realNow`. */
export function readClock(setting: ClockSetting, realNow: number): number {
  return setting.kind === 'frozen' ? setting.at : realNow + setting.offsetMs;
}

/** The clock stopped where it stands. */
export function frozen(setting: ClockSetting, realNow: number): ClockSetting {
  return { kind: 'frozen', at: readClock(setting, realNow) };
}

/** The clock running on from where it stands. */
export function running(setting: ClockSetting, realNow: number): ClockSetting {
  return { kind: 'running', offsetMs: readClock(setting, realNow) - realNow };
}

/** The clock moved to `instant`; a stopped clock stays stopped. */
export function movedTo(setting: ClockSetting, instant: number, realNow: number): ClockSetting {
  return setting.kind === 'frozen'
    ? { kind: 'frozen', at: instant }
    : { kind: 'running', offsetMs: instant - realNow };
}
