import { transactionId } from '../../../src/ids.ts';
import { SESSION_LIFETIME_MS } from '../../../src/payments/attempt.ts';
import { decimalOf } from '../../../src/money.ts';
import { failure } from '../../simulated-transactions.ts';
import type { AskedGateway } from '../world.ts';
import type { Parts, Variant } from '../variant.ts';
import { approved, reading, readingStore, remembering } from './reading.ts';

/** Mistakes in how the gateway's word is asked for and read. */
export const checking: readonly Variant[] = [
  {
    name: 'believes-the-redirect',
    about: 'a return to the success address counts as paid',
    breaks: (parts) => {
      const { attemptOf, store } = remembering(parts);
      const believed = new Set<string>();
      const broken = reading({ ...parts, store }, (rows, input) => {
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
      const { attemptOf, store } = remembering(parts);
      return reading({ ...parts, store }, (rows, input) => {
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
      const { gateway } = parts;
      const retrieveStatus: AskedGateway['retrieveStatus'] = (input) =>
        gateway.retrieveStatus(input).catch(() => ({
          transactions: [
            {
              transactionId: transactionId('silence'),
              amount: '1.00',
              transactionStatus: 'FAILED',
              paymentStatus: 'DECLINED',
            },
          ],
        }));
      return { ...parts, gateway: { ...gateway, retrieveStatus } };
    },
  },
  {
    name: 'takes-silence-for-an-answer',
    about: 'a gateway that does not answer counts as one that shows no payment',
    breaks: (parts) => {
      const { gateway } = parts;
      const retrieveStatus: AskedGateway['retrieveStatus'] = (input) =>
        gateway.retrieveStatus(input).catch(() => ({ transactions: [] }));
      return { ...parts, gateway: { ...gateway, retrieveStatus } };
    },
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
      const { gateway } = parts;
      let said: string | null = null;
      const retrieveStatus: AskedGateway['retrieveStatus'] = (input) => {
        const sessionId = said;
        said = null;
        return gateway.retrieveStatus(sessionId === null ? input : { sessionId });
      };
      return {
        ...parts,
        gateway: { ...gateway, retrieveStatus },
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
      const store = readingStore(parts, ({ hints = [], ...record }) => ({
        ...record,
        hints: hints.map((hint) => ({ ...hint, source: 'return' })),
      }));
      return reading({ ...parts, store }, (rows, input) =>
        'transactionId' in input
          ? rows.map((row) => ({ ...row, merchantOrderId: undefined }))
          : rows,
      );
    },
  },
  {
    name: 'sends-no-currency',
    about: 'the currency is left to the gateway',
    breaks: (parts) => {
      const { gateway } = parts;
      const createPaymentLink: AskedGateway['createPaymentLink'] = ({ amount, ...input }) => {
        const text = typeof amount === 'string' ? amount : decimalOf(amount.minorUnits);
        return gateway.createPaymentLink({ ...input, amount: text, currency: undefined });
      };
      return { ...parts, gateway: { ...gateway, createPaymentLink } };
    },
  },
  {
    name: 'expires-without-asking',
    about: 'a session that is two days old is over, and the gateway is not asked',
    breaks: (parts) => {
      const { attemptOf, store } = remembering(parts);
      let now = 0;
      const clocked: Parts['store'] = {
        ...store,
        take: (orderId, taking) => {
          ({ now } = taking);
          return store.take(orderId, taking);
        },
      };
      return reading({ ...parts, store: clocked }, (rows, input) => {
        const createdAt = attemptOf(input)?.createdAt ?? now;
        return now - createdAt >= SESSION_LIFETIME_MS ? [] : rows;
      });
    },
  },
];
