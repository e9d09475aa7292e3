import { expect, it } from 'vitest';
import { idOf, openedIn, paidChange, saveOf } from '../src/stores/conformance/orders.ts';
import type { Store } from '../src/stores/store.ts';

/** What the merchant's work sends, into a table of the merchant's own. */
export const insert = "INSERT INTO shipments (order_id) VALUES ('1001')";

/** A store whose database has that table, and what only the kit may do in its transactions. */
interface Place<Tx> {
  readonly store: () => Store<Tx>;
  /** What the table has. */
  readonly rows: () => Promise<readonly unknown[]>;
  readonly statements: readonly string[];
  readonly methods: readonly string[];
  /** A statement that fails by a code. */
  readonly raise: (code: string) => string;
  /** Of what is tried again. */
  readonly codes: readonly string[];
}

/** Saves a payment with work in it. */
const payingAt =
  <Tx>(place: Place<Tx>) =>
  async (hook: (tx: Tx) => unknown, store = place.store()) => {
    const opened = await openedIn(place.store());
    const failure: unknown = await store
      .save(saveOf(opened, paidChange(opened)), async (tx) => void (await hook(tx)))
      .then(() => null)
      .catch((error: unknown) => error);
    const isPaid = (await place.store().load(idOf(opened)))?.payment.state === 'paid';
    const written = { failure, isPaid, shipped: (await place.rows()).length };
    return { written, failure, isPaid, orderId: idOf(opened) };
  };

/** Tests the connection that `inTransaction` is given. @returns saves a payment with work in it. */
export function testWorkInTransactions<Tx extends { query(sql: string): Promise<unknown> }>(
  place: Place<Tx>,
) {
  const payWith = payingAt(place);
  const isRefused = expect.objectContaining({ code: 'transaction_control' }) as unknown;

  it.each(place.statements)('refuses %j by name, and nothing is recorded', async (statement) => {
    const { written } = await payWith(async (tx) => {
      await tx.query(insert);
      await tx.query(statement);
    });
    expect(written).toEqual({ failure: isRefused, isPaid: false, shipped: 0 });
  });

  it.each(place.methods)('refuses %s(), which the kit does', async (name) => {
    const { failure } = await payWith((tx) => (Reflect.get(tx, name) as () => unknown)());
    expect(failure).toEqual(isRefused);
    const { written } = await payWith((tx) => tx.query(insert));
    expect(written).toEqual({ failure: null, isPaid: true, shipped: 1 });
  });

  it.each([null, ...place.codes])(
    'is refused after the end of its transaction, by its event and order (error before: %s)',
    async (code) => {
      let [calls, end] = [0, (): void => undefined];
      const over = new Promise<void>((resolve) => (end = resolve));
      let late: Promise<unknown> = Promise.resolve();
      const { orderId, failure } = await payWith(async (tx) => {
        calls += 1;
        if (calls > 1) return tx.query(insert);
        late = over.then(() => tx.query(insert)).catch(String);
        if (code !== null) await tx.query(place.raise(code));
        return undefined;
      });
      end();
      expect(await late).toContain(`sent SQL for paid of order ${orderId} after its end. Await`);
      expect([failure, (await place.rows()).length]).toEqual([null, code === null ? 0 : 1]);
    },
  );

  it.each(place.codes)('is given again after %s, wrapped too, and writes once', async (code) => {
    let tries = 0;
    const { written } = await payWith(async (tx) => {
      tries += 1;
      await tx.query(insert);
      if (tries > 1) return;
      await tx.query(place.raise(code)).catch(() => {
        throw new TypeError('wrapped');
      });
    });
    expect({ ...written, tries }).toEqual({ failure: null, isPaid: true, shipped: 1, tries: 2 });
  });

  return payWith;
}
