import type { PaymentEvent } from '../src/index.ts';
import type { Store } from '../src/stores/store.ts';
import { inA, type Script, sendJson, statusAnswer } from './scripted-gateway.ts';
import { Shop } from './shop.ts';

/** The transaction of the sales of a {@link SharedGateway}. */
export const sold = { transactionId: 'F2D5B7C0-0000-4000-8000-00000000000A' };

/** The gateway of several shops: what its status shows, and how it answers each operation. */
export class SharedGateway {
  /** What every status answer shows, whatever is asked about. */
  rows: readonly unknown[] = [];
  /** The answers by the ends of their paths; `null`: the answer is lost. */
  readonly answers = new Map<string, object | null>([
    ['/sale', inA({ result: 'SUCCESS', status: 'SUCCESS', ...sold })],
    ['/capture', inA({ result: 'ACCEPTED', action: 'CAPTURE' })],
    ['/void', inA({ result: 'ACCEPTED', action: 'CREDITVOID' })],
    ['/recurring', { statusCode: 200, responseBody: { result: 'SUCCESS', status: 'SUCCESS' } }],
    ['/refund', inA({ result: 'accepted', refundId: 'r', amount: '10.00', message: '' })],
  ]);
  #links = 0;
  readonly #shops: Shop[] = [];
  readonly #script: Script = (request, response) => {
    const end = request.path.slice(request.path.lastIndexOf('/'));
    if (end === '/status') return sendJson(response, 200, statusAnswer(this.rows));
    const answer = this.answers.get(end);
    if (answer === null) return void response.destroy();
    if (answer !== undefined) return sendJson(response, 200, answer);
    this.#links += 1;
    const id = `5e551040-0000-4000-8000-0000000000${this.#links + 10}`;
    return sendJson(response, 201, { id, redirectUrl: `https://pay.example/?sessionId=${id}` });
  };

  /** Starts a shop, and notes what its `paid` and `refunded` handlers get. */
  async shop(store: Store<unknown>, handled: PaymentEvent[] = []): Promise<Shop> {
    const note = (event: PaymentEvent): void => void handled.push(event);
    const on = { paid: note, refunded: note };
    const shop = await Shop.start({ payments: { store, on } });
    shop.gateway.script = this.#script;
    this.#shops.push(shop);
    return shop;
  }

  async end(): Promise<void> {
    for (const shop of this.#shops) await shop.close();
  }
}
