import {
  isPastFinalCheck,
  nextCheck,
  YOUNG_MS,
} from '../../../packages/server-helper/src/payments/watch.ts';
import { quantile } from '../quantile.ts';

/** Status checks are counted in windows of this length, as the shop's processes count them. */
const WINDOW_MS = 1_100;
/** A check that is later than this has no waiting shopper any more. */
const AWAITED_MS = 120_000;
const HOUR_MS = 3_600_000;

/** Links that nobody pays and nobody asks about, and how fast they may be checked. */
export interface Scenario {
  readonly links: number;
  /** The links are opened evenly over this time, in hours. */
  readonly openedWithinHours: number;
  readonly checksPerSecond: number;
  readonly oldChecksPerSecond: number;
}

/** What became of them. Times are seconds. */
export interface Watched {
  /** Links that are open at one time, at most. */
  readonly open: number;
  readonly checksPerLink: number;
  /** Over the 24 hours with the most. */
  readonly checksPerSecond: number;
  /** How late the checks of the first 15 minutes are: the middle one, and the latest. */
  readonly youngLate: readonly [middle: number, latest: number];
  /** The same of all later checks. */
  readonly oldLate: readonly [middle: number, latest: number];
  /** How old the last link is when its last check has found it expired, in hours. */
  readonly lastEndsAfterHours: number;
}

interface Link {
  readonly since: number;
  dueAt: number;
}

/** Plays the watch over the links in virtual time, by the schedule of the shop itself. */
export function watchLinks(scenario: Scenario, random: () => number): Watched {
  const { links, openedWithinHours, checksPerSecond, oldChecksPerSecond } = scenario;
  const due = new Calendar();
  const young = new Queue();
  const old = new Queue();
  const late = { young: [] as number[], old: [] as number[] };
  const hourly: number[] = [];
  const count = { opened: 0, ended: 0, mostOpen: 0 };
  let lastEndsAfter = 0;
  const check = (link: Link, now: number): void => {
    const age = now - link.since;
    const isYoung = age < YOUNG_MS;
    late[isYoung ? 'young' : 'old'].push((now - link.dueAt) / 1_000);
    const hour = Math.floor(now / HOUR_MS);
    hourly[hour] = (hourly[hour] ?? 0) + 1;
    if (isPastFinalCheck({ createdAt: link.since }, now)) {
      count.ended += 1;
      lastEndsAfter = Math.max(lastEndsAfter, age);
    } else {
      schedule(link, now);
    }
  };
  const schedule = (link: Link, now: number): void => {
    link.dueAt = nextCheck(link.since, now, random()) ?? Infinity;
    due.add(link, Math.ceil(link.dueAt / WINDOW_MS));
  };
  for (let window = 0; count.ended < links; window += 1) {
    const now = window * WINDOW_MS;
    while (count.opened < links && (count.opened / links) * openedWithinHours * HOUR_MS <= now) {
      count.opened += 1;
      schedule({ since: now, dueAt: now }, now);
    }
    count.mostOpen = Math.max(count.mostOpen, count.opened - count.ended);
    for (const link of due.take(window)) (now - link.since < YOUNG_MS ? young : old).add(link);
    while ((young.first?.dueAt ?? Infinity) < now - AWAITED_MS) old.add(young.take());
    let room = checksPerSecond;
    for (; room > 0 && young.first !== undefined; room -= 1) check(young.take(), now);
    room = Math.min(room, oldChecksPerSecond);
    for (; room > 0 && old.first !== undefined; room -= 1) check(old.take(), now);
  }
  return {
    open: count.mostOpen,
    checksPerLink: (late.young.length + late.old.length) / links,
    checksPerSecond: mostInADay(hourly) / 86_400,
    youngLate: [quantile(late.young, 0.5), latest(late.young)],
    oldLate: [quantile(late.old, 0.5), latest(late.old)],
    lastEndsAfterHours: lastEndsAfter / HOUR_MS,
  };
}

/** Links by the window in which their next check is due. */
class Calendar {
  readonly #windows = new Map<number, Link[]>();

  add(link: Link, window: number): void {
    const links = this.#windows.get(window);
    if (links === undefined) this.#windows.set(window, [link]);
    else links.push(link);
  }

  take(window: number): readonly Link[] {
    const links = this.#windows.get(window) ?? [];
    this.#windows.delete(window);
    return links;
  }
}

/** Links whose check is due, the longest due first. */
class Queue {
  #links: Link[] = [];
  #taken = 0;

  get first(): Link | undefined {
    return this.#links[this.#taken];
  }

  add(link: Link): void {
    this.#links.push(link);
  }

  /** @throws when there is none. */
  take(): Link {
    const { first } = this;
    if (first === undefined) throw new Error('No link is due.');
    this.#taken += 1;
    if (this.#taken === this.#links.length) [this.#links, this.#taken] = [[], 0];
    return first;
  }
}

const latest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** The most checks within 24 hours in a row. */
function mostInADay(hourly: readonly number[]): number {
  const days = hourly.map((_, hour) =>
    Array.from({ length: 24 }, (__, at) => hourly[hour + at] ?? 0).reduce((a, b) => a + b, 0),
  );
  return latest(days);
}
