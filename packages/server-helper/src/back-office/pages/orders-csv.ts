import { csvLine } from '../../csv.ts';
import type { Answer } from '../../edges/http.ts';
import type { PaymentList } from '../../flows/list-payments.ts';
import { nameOf } from '../../errors.ts';
import type { Visit } from '../office.ts';
import { queryOf, readFilter } from '../order-filter.ts';

/** How many payments are read at a time. */
const PAGE_LENGTH = 200;

const columns = [
  'orderId',
  'state',
  'amount',
  'refunded',
  'currency',
  'createdAt',
  'updatedAt',
] as const;

/**
 * All orders that the filter of the list leaves, as CSV, the latest first. The file holds no words of
 * `describeOrder`: customers' names do not belong in files that are handed around.
 */
export async function ordersCsv(visit: Visit): Promise<Answer> {
  const day = new Date(visit.office.parts.clock.now()).toISOString().slice(0, 10);
  // Read before the answer begins, so that a store that is down is a page and no broken file.
  const first = await readPage(visit, null);
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="orders-${day}.csv"`,
    },
    stream: lines(visit, first),
  };
}

function readPage(visit: Visit, cursor: string | null): Promise<PaymentList> {
  const { payments, settings } = visit.office;
  const query = queryOf(readFilter(visit), settings.timeZone);
  return payments.list({ ...query, limit: PAGE_LENGTH, cursor });
}

/** A page of lines at a time; an error ends the file before its end, and the browser says so. */
async function* lines(visit: Visit, first: PaymentList): AsyncGenerator<string> {
  yield csvLine(columns);
  try {
    for (let page = first; ; page = await readPage(visit, page.nextCursor)) {
      yield page.payments.map((payment) => csvLine(columns.map((name) => payment[name]))).join('');
      if (page.nextCursor === null) return;
    }
  } catch (error) {
    const { logger } = visit.office.parts;
    logger.error({ error: nameOf(error) }, 'a list of orders could not be read to its end');
    throw error;
  }
}
