import { transactionId } from '../../../src/ids.ts';
import { SESSION_LIFETIME_MS } from '../../../src/payments/attempt.ts';
import { decimalOf } from '../../../src/money.ts';
import { failure } from '../../simulated-transactions.ts';
import {
  approved,
  atGateway,
  atStore,
  reading,
  readingStore,
  remembering,
  type Variant,
} from './parts.ts';

/** Mistakes in how the gateway's word is asked for and read. */
export const checking: readonly Variant[] = [
  {
    name: 'believes-the-redirect',
    about: 'a return to the success address counts as paid',
    breaks: (parts) => {
      const { attemptOf, watched } = remembering(parts);
      const believed = new Set<string>();
      const broken = reading(watched, (rows, input) => {
        const attempt = attemptOf(input);
        if (attempt === undefined || !believed.has(attempt.orderId)) return rows;
        const amount = decimalOf(attempt.amount.minorUnits);
        const id = transactionId(`believed-${attempt.merchantOrderId}`);
        return [{ transactionId: id, amount, ...approved }];
      });
      return {
        ...broken,
        sees: (deed) => {
          if (deed.kind === 'return' && deed.claims === 'success') believed.add(deed.orderId);
        },
      };
    },
  },
  {
    name: 'takes-any-amount',
    about: 'whatever is approved pays the order, however much it is',
    breaks: (parts) => {
      const { attemptOf, watched } = remembering(parts);
      return reading(watched, (rows, input) => {
        const attempt = attemptOf(input);
        if (attempt === undefined) return rows;
        return rows.map((row) => ({ ...row, amount: decimalOf(attempt.amount.minorUnits) }));
      });
    },
  },
  {
    name: 'takes-pending-for-paid',
    about: 'a payment that is pending at the gateway counts as approved',
    breaks: (parts) =>
      reading(parts, (rows) =>
        rows.map((row) => (row.paymentStatus === 'PENDING' ? { ...row, ...approved } : row)),
      ),
  },
  {
    name: 'calls-silence-failed',
    about: 'a gateway that does not answer counts as a declined card',
    breaks: (parts) => {
      const words = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
      const row = { transactionId: transactionId('silence'), amount: '1.00', ...words };
      return atGateway(parts, ({ retrieveStatus }) => ({
        retrieveStatus: (input) => retrieveStatus(input).catch(() => ({ transactions: [row] })),
      }));
    },
  },
  {
    name: 'takes-silence-for-an-answer',
    about: 'a gateway that does not answer counts as one that shows no payment',
    breaks: (parts) =>
      atGateway(parts, ({ retrieveStatus }) => ({
        retrieveStatus: (input) => retrieveStatus(input).catch(() => ({ transactions: [] })),
      })),
  },
  {
    name: 'takes-nothing-for-silence',
    about: 'an answer without a row counts as none',
    breaks: (parts) =>
      reading(parts, (rows) => {
        if (rows.length === 0) throw failure('retrieveStatus', 'unknown');
        return rows;
      }),
  },
  {
    name: 'asks-about-what-the-hint-says',
    about: 'the id in a webhook is asked about, instead of the one in the store',
    breaks: (parts) => {
      let said: string | null = null;
      const broken = atGateway(parts, ({ retrieveStatus }) => ({
        retrieveStatus: (input) => {
          const sessionId = said;
          said = null;
          return retrieveStatus(sessionId === null ? input : { sessionId });
        },
      }));
      return {
        ...broken,
        sees: (deed) => {
          if (deed.kind === 'webhook') said = deed.garbage;
        },
      };
    },
  },
  {
    name: 'binds-what-a-hint-names',
    about:
      'a transaction that a hint names counts, although the gateway names another order for it',
    breaks: (parts) => {
      const believing = readingStore(parts, ({ hints = [], ...record }) => ({
        ...record,
        hints: hints.map((hint) => ({ ...hint, source: 'return' })),
      }));
      return reading(believing, (rows, input) =>
        'transactionId' in input
          ? rows.map((row) => ({ ...row, merchantOrderId: undefined }))
          : rows,
      );
    },
  },
  {
    name: 'sends-no-currency',
    about: 'the currency is left to the gateway',
    breaks: (parts) =>
      atGateway(parts, ({ createPaymentLink }) => ({
        createPaymentLink: ({ amount, ...input }) => {
          const text = typeof amount === 'string' ? amount : decimalOf(amount.minorUnits);
          return createPaymentLink({ ...input, amount: text, currency: undefined });
        },
      })),
  },
  {
    name: 'expires-without-asking',
    about: 'a session that is two days old is over, and the gateway is not asked',
    breaks: (parts) => {
      const { attemptOf, watched } = remembering(parts);
      let now = 0;
      const clocked = atStore(watched, (store) => ({
        take: (orderId, taking) => {
          ({ now } = taking);
          return store.take(orderId, taking);
        },
      }));
      return reading(clocked, (rows, input) => {
        const createdAt = attemptOf(input)?.createdAt ?? now;
        return now - createdAt >= SESSION_LIFETIME_MS ? [] : rows;
      });
    },
  },
];
