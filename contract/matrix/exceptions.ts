import type { JourneyName } from './journeys.ts';
import type { Reading } from './readings.ts';

/** Cells that may not end as all others must, with the reason. */
export interface Exception {
  /** Single readings, also as members of a combination. */
  readonly readings: readonly string[];
  readonly journeys: readonly JourneyName[];
  readonly why: string;
}

const byTransaction = ['transactionIdOnly', 'status asks for transactions'];

/** Cells that may be silent: no answer and no notification shows more. */
export const silentCells: readonly Exception[] = [
  {
    readings: ['closesOnFailure, not in the profile'],
    journeys: ['decline, pay'],
    why: 'No answer says that a page takes no more cards, and the profile does not. A second link beside one that may be payable could be paid twice, so the shop offers the first until it expires. No money moves.',
  },
  {
    readings: [...byTransaction, 'transactionIdOnly, not in the profile'],
    journeys: ['neither', 'lost', 'twice'],
    why: 'This gateway answers by transaction ids only, and neither a return nor a webhook has arrived. To the shop the order is one whose shopper went away, and it offers a new link once the first has expired. A shop without the profile gets the finding unknown_links with its fifth link.',
  },
];

/** Cells that fail today. */
export const openCells: readonly Exception[] = [];

export const isIn = (
  list: readonly Exception[],
  { name, members }: Reading,
  journey: JourneyName,
): boolean =>
  list.some(
    ({ readings, journeys }) =>
      journeys.includes(journey) && [name, ...members].some((one) => readings.includes(one)),
  );
