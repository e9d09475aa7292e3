import { transactionId } from '../../../src/ids.ts';
import { decimalOf } from '../../../src/money.ts';
import { approved, atGateway, reading, readingStore, remembering, type Variants } from './parts.ts';

/** Mistakes in how the gateway's word is asked for and read. */
export const checking: Variants = {
  // A return to the success address counts as paid.
  'believes-the-redirect': (parts) => {
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

  // Whatever is approved pays the order, however much it is.
  'takes-any-amount': (parts) => {
    const { attemptOf, watched } = remembering(parts);
    return reading(watched, (rows, input) => {
      const attempt = attemptOf(input);
      if (attempt === undefined) return rows;
      return rows.map((row) => ({ ...row, amount: decimalOf(attempt.amount.minorUnits) }));
    });
  },

  // A gateway that does not answer counts as one that shows no payment.
  'takes-silence-for-an-answer': (parts) =>
    atGateway(parts, ({ retrieveStatus }) => ({
      retrieveStatus: (input) => retrieveStatus(input).catch(() => ({ transactions: [] })),
    })),

  // The id in a webhook is asked about, instead of the one in the store.
  'asks-about-what-the-hint-says': (parts) => {
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

  // A transaction that a hint names counts, although the gateway names another order for it.
  'binds-what-a-hint-names': (parts) => {
    const believing = readingStore(parts, ({ hints = [], ...record }) => ({
      ...record,
      hints: hints.map((hint) => ({ ...hint, source: 'return' })),
    }));
    return reading(believing, (rows, input) =>
      'transactionId' in input ? rows.map((row) => ({ ...row, merchantOrderId: undefined })) : rows,
    );
  },

  // The currency is left to the gateway.
  'sends-no-currency': (parts) =>
    atGateway(parts, ({ createPaymentLink }) => ({
      createPaymentLink: ({ amount, ...input }) => {
        const text = typeof amount === 'string' ? amount : decimalOf(amount.minorUnits);
        return createPaymentLink({ ...input, amount: text, currency: undefined });
      },
    })),
};
