import { lackOf, notePart, type Transaction } from '../../src/gateway/status.ts';
import type { Attempt } from '../../src/payments/attempt.ts';
import type { Change, PaymentRecord } from '../../src/payments/record.ts';
import type { Save, Store } from '../../src/stores/store.ts';
import type { Deed } from './history.ts';
import type { AskedGateway } from './world.ts';

/** What a broken variant may take the place of, in one process. */
export interface Parts {
  readonly store: Store<unknown>;
  readonly gateway: AskedGateway;
  /** As the option of that name. */
  readonly recheckOrder?: boolean;
}

/**
 * A mistake that somebody could make, put around the right code, which the histories must find. It makes the
 * parts of a process that has just started; what it remembers dies with the process.
 */
export type Variant = (parts: Parts) => Parts & {
  /** Sees each deed before its process does it. */
  readonly sees?: (deed: Deed) => void;
};

/** Mistakes by their names. */
export type Variants = Readonly<Record<string, Variant>>;

/** A gateway that does some things in another way. */
export const atGateway = (
  parts: Parts,
  changes: (gateway: AskedGateway) => Partial<AskedGateway>,
): Parts => ({ ...parts, gateway: { ...parts.gateway, ...changes(parts.gateway) } });

/** A store that does some things in another way. */
export const atStore = (
  parts: Parts,
  changes: (store: Store<unknown>) => Partial<Store<unknown>>,
): Parts => ({ ...parts, store: { ...parts.store, ...changes(parts.store) } });

type Rows = readonly Transaction[];
type StatusInput = Parameters<AskedGateway['retrieveStatus']>[0];

/** A gateway whose status answers are read in another way. */
export const reading = (
  parts: Parts,
  read: (rows: Rows, input: StatusInput) => Rows | Promise<Rows>,
): Parts => {
  return atGateway(parts, (gateway) => ({
    retrieveStatus: async (input) => {
      const status = await gateway.retrieveStatus(input);
      const transactions = [...(await read(status.transactions, input))];
      const answer = { transactions };
      const lack = lackOf(status);
      if (lack !== undefined) notePart(answer, transactions, lack);
      return answer;
    },
  }));
};

/** A store whose documents are read in another way. */
export function readingStore(parts: Parts, read: (record: PaymentRecord) => PaymentRecord): Parts {
  const readOrNull = (record: PaymentRecord | null) => (record === null ? null : read(record));
  return atStore(parts, (store) => ({
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
  }));
}

/** The words of a confirmed payment. */
export const approved = { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' } as const;

/** Remembers which orders' records this process has read. */
export function remembering(parts: Parts) {
  const records = new Map<string, PaymentRecord>();
  const watched = readingStore(parts, (record) => {
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
  return { attemptOf, watched };
}

export type Saving = Store<unknown>['save'];

/** A store that saves in another way. */
export const saving = (
  parts: Parts,
  save: (...given: Parameters<Saving>) => ReturnType<Saving>,
): Parts => ({ ...parts, store: { ...parts.store, save } });

/** A store to which another save is given. */
export const savingAs = (parts: Parts, read: (save: Save) => Save): Parts =>
  saving(parts, (save, hook) => parts.store.save(read(save), hook));

/** A save with other fields of some kind, in the document and in the log. */
function changed(save: Save, read: <T extends Pick<Change, 'payment' | 'attempts'>>(part: T) => T) {
  const { record, entry } = save;
  const logged = entry?.kind === 'change' ? { ...entry, change: read(entry.change) } : entry;
  return { ...save, record: read(record), entry: logged };
}

/** A save with another payment. */
export const withPayment = (save: Save, next: object): Save =>
  changed(save, (part) => ({ ...part, payment: { ...part.payment, ...next } }));

/** A save with other attempts. */
export const withAttempts = (save: Save, read: (attempt: Attempt) => Attempt): Save =>
  changed(save, (part) => ({ ...part, attempts: part.attempts.map(read) }));

/** Whether a save stores a hint, and nothing else. */
export const isHint = ({ entry, endsCheck }: Save): boolean => entry === null && endsCheck !== true;
