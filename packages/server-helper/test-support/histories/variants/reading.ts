import { lackOf, notePart, type Transaction } from '../../../src/gateway/status.ts';
import type { PaymentRecord } from '../../../src/payments/record.ts';
import type { AskedGateway } from '../world.ts';
import type { Parts } from '../variant.ts';

type Rows = readonly Transaction[];
type StatusInput = Parameters<AskedGateway['retrieveStatus']>[0];

/** A gateway whose status answers are read in another way. */
export const reading = (
  parts: Parts,
  read: (rows: Rows, input: StatusInput) => Rows | Promise<Rows>,
): Parts => {
  const { gateway } = parts;
  const retrieveStatus: AskedGateway['retrieveStatus'] = async (input) => {
    const status = await gateway.retrieveStatus(input);
    const transactions = [...(await read(status.transactions, input))];
    const answer = { transactions };
    const lack = lackOf(status);
    if (lack !== undefined) notePart(answer, transactions, lack);
    return answer;
  };
  return { ...parts, gateway: { ...gateway, retrieveStatus } };
};

/** A store whose documents are read in another way. */
export function readingStore(
  { store }: Pick<Parts, 'store'>,
  read: (record: PaymentRecord) => PaymentRecord,
): Parts['store'] {
  const readOrNull = (record: PaymentRecord | null) => (record === null ? null : read(record));
  return {
    ...store,
    load: async (orderId) => readOrNull(await store.load(orderId)),
    take: async (orderId, taking) => {
      const taken = await store.take(orderId, taking);
      return taken === null ? null : { ...taken, record: read(taken.record) };
    },
    save: async (save, hook) => {
      const result = await store.save(save, hook);
      return result.outcome === 'conflict'
        ? { ...result, record: readOrNull(result.record) }
        : result;
    },
  };
}

/** The words of a confirmed payment. */
export const approved = { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' } as const;

/** Remembers which orders' records this process has read. */
export function remembering({ store }: Parts) {
  const records = new Map<string, PaymentRecord>();
  const watched = readingStore({ store }, (record) => {
    records.set(record.payment.orderId, record);
    return record;
  });
  const attemptOf = (input: StatusInput) =>
    [...records.values()]
      .flatMap(({ attempts }) => attempts)
      .find((one) =>
        'sessionId' in input
          ? one.sessionId === input.sessionId
          : one.transactionId === input.transactionId,
      );
  return { records, attemptOf, store: watched };
}
