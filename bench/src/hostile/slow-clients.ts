import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atShop, bound, checkouts, failures, slowerThan } from './scenario.ts';
import type { Found, Surroundings } from './scenario.ts';

const SLOW_CLIENTS = 1_000;
const ONSET_MS = 5_000;
/** The server ends slow headers and bodies after 10 s, and looks each 5 s; a busy machine is later. */
const LONGEST_SECONDS = 25;

const HEAD = 'POST /pay/checkout HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const SLOW_HEADERS = `${HEAD}x-slow: `;
const SLOW_BODY = `${HEAD}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;

/** A shopper's checkouts while a thousand connections send a byte a second, of headers or of a body. */
export async function measureSlowClients(given: Surroundings): Promise<Found> {
  const { places, storeName, seconds, tell } = given;
  const crowd = new SlowCrowd();
  return atShop(storeName, await places.make(storeName), async (shop) => {
    tell(`${seconds} s of checkouts in quiet`);
    const quiet = await checkouts('checkout in quiet', shop, seconds);
    tell(`${seconds} s of checkouts beside ${SLOW_CLIENTS} slow clients`);
    crowd.gather(shop.port);
    await pause(ONSET_MS);
    const beside = await checkouts('checkout beside slow clients', shop, seconds);
    const { lives } = crowd;
    const slow = { about: 'life of a slow connection', tookMs: lives, failed: 0 };
    const outlived = [...crowd.ages(), ...lives].filter((age) => age > LONGEST_SECONDS * 1_000);
    const bounds = [
      ...slowerThan(quiet, beside),
      failures(beside),
      bound('slow connections that outlived the time-outs', 0, outlived.length),
      bound('no slow connection was ended', 0, lives.length === 0 ? 1 : 0),
    ];
    return { bounds, series: [quiet, beside, slow] };
  }).finally(() => crowd.leave());
}

/** Connections that send a byte a second; where the shop ends one, another takes its place. */
class SlowCrowd {
  /** How long those lived that the shop ended, in milliseconds. */
  readonly lives: number[] = [];
  readonly #since = new Map<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  gather(port: number): void {
    for (let index = 0; index < SLOW_CLIENTS; index += 1) this.#come(port, index % 2 === 0);
    this.#timer = setInterval(() => {
      for (const socket of this.#since.keys()) socket.write('x');
    }, 1_000);
  }

  /** How long those have lived that are there. */
  ages(): number[] {
    return [...this.#since.values()].map((since) => performance.now() - since);
  }

  leave(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const socket of this.#since.keys()) socket.destroy();
  }

  #come(port: number, inHeaders: boolean): void {
    const since = performance.now();
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(inHeaders ? SLOW_HEADERS : SLOW_BODY);
    });
    this.#since.set(socket, since);
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      this.#since.delete(socket);
      if (this.#timer === undefined) return;
      this.lives.push(performance.now() - since);
      this.#come(port, inHeaders);
    });
  }
}
