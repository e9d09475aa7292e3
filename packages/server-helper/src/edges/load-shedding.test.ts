import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Shop } from '../../test-support/shop.ts';
import { LoadShedding } from './limits.ts';
import type { RouteName } from './routes.ts';

/** Sets the time that passes between two requests of one turn, and how long the process has rested. */
class SlowRequests {
  requestMs = 0;
  idleMs = 0;
  passedMs = 1_000_000;

  constructor() {
    vi.spyOn(performance, 'now').mockImplementation(() => (this.passedMs += this.requestMs));
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
      return { idle: this.idleMs, active: 0, utilization: 0 };
    });
  }
}

let requests: SlowRequests;
beforeEach(() => void (requests = new SlowRequests()));
afterEach(() => vi.restoreAllMocks());

describe('load shedding', () => {
  let shedding: LoadShedding;
  beforeEach(() => void (shedding = new LoadShedding()));

  const isRefused = (route: RouteName): boolean => shedding.refusalOf(route) !== null;

  /** A turn of the event loop that takes requests for so long; the last one is of a route. */
  async function turn(lengthMs: number, last: RouteName = 'webhook'): Promise<boolean> {
    const first = isRefused('webhook');
    requests.passedMs += lengthMs;
    const answer = isRefused(last);
    await setImmediate();
    return first || answer;
  }

  async function turns(count: number, lengthMs: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await turn(lengthMs);
  }

  it('refuses nothing while turns are short, however many there are', async () => {
    await turns(100, 90);
    expect(await turn(90, 'status')).toBe(false);
    expect(await turn(90, 'checkout')).toBe(false);
  });

  it('refuses nothing for the first second of late turns', async () => {
    await turns(3, 300);
    expect(await turn(150, 'status')).toBe(false);
  });

  it('refuses the polls of a late turn, not those of its first 100 ms and no checkout', async () => {
    await turns(10, 300);
    expect(await turn(90, 'status')).toBe(false);
    expect(await turn(110, 'status')).toBe(true);
    expect(await turn(190, 'checkout')).toBe(false);
  });

  it.each(['checkout', 'link'] as const)(
    'refuses each %s of a turn that lasts still longer, and then every poll',
    async (route) => {
      await turns(10, 300);
      expect(await turn(210, route)).toBe(true);
      expect(await turn(0, 'status')).toBe(true);
      expect(await turn(0, route)).toBe(false);
    },
  );

  it('counts the work between two turns, unless the process has rested since', async () => {
    await turns(10, 300);
    requests.passedMs += 110;
    expect(isRefused('status')).toBe(true);
    await setImmediate();
    requests.passedMs += 110;
    requests.idleMs += 5;
    expect(isRefused('status')).toBe(false);
  });

  it('refuses within a single turn that takes requests for seconds', () => {
    const refused = Array.from({ length: 100 }, () => {
      requests.passedMs += 50;
      return isRefused('status');
    });
    expect(refused.indexOf(true)).toBeGreaterThan(20);
    expect(refused.slice(25)).not.toContain(false);
  });

  it('takes every webhook, return and health check', async () => {
    await turns(100, 300);
    for (const route of ['webhook', 'return', 'health'] as const) {
      expect(await turn(5_000, route)).toBe(false);
    }
  });

  it('takes everything again when no turn was late for two seconds', async () => {
    await turns(10, 300);
    expect(await turn(300, 'checkout')).toBe(true);
    await turns(23, 90);
    expect(await turn(0, 'status')).toBe(false);
    expect(await turn(300, 'status')).toBe(false);
  });
});

describe('a process that cannot answer all that arrives', () => {
  /** Sends requests that arrive in one turn of the event loop; returns the answers. */
  async function arriveTogether(
    shop: Shop,
    ...paths: readonly string[]
  ): Promise<readonly string[]> {
    const socket = connect(shop.port, '127.0.0.1');
    socket.end(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`).join(''));
    return (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  const polls = Array.from({ length: 50 }, () => '/pay/status/not-a-token');

  it('refuses polls with the time to come again, and takes returns and the next checkout', async () => {
    const shop = await startShop({ payments: { shedLoad: true } });
    requests.requestMs = 150;
    const answers = await arriveTogether(shop, ...polls, '/pay/return/success/not-a-token');
    expect(answers.at(0)).toMatch(/^HTTP\/1.1 404 /);
    expect(answers.at(-2)).toMatch(/^HTTP\/1.1 503 [^]*\r\nretry-after: 5\r\n/i);
    expect(answers.at(-2)).toContain('"code":"overloaded"');
    expect(answers.at(-1)).toMatch(/^HTTP\/1.1 404 /);
    requests.requestMs = 0;
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it('answers whatever comes when it was told not to shed load', async () => {
    const shop = await startShop({ payments: { shedLoad: false } });
    requests.requestMs = 100;
    const answers = await arriveTogether(shop, ...polls);
    expect(answers.map((one) => one.slice(0, 13))).toEqual(polls.map(() => 'HTTP/1.1 404 '));
  });
});
