import {
  hasOpenMatter,
  nextAfter,
  ordersOfPage,
  type ArchivedPage,
  type ArchivePage,
} from '../archive.ts';
import { readRecord } from './record.ts';
import type { Statements } from './statements.ts';

/** Archives what is finished of one page of orders, inside the open transaction. */
export function archive(sql: Statements, { after, before, limit }: ArchivePage): ArchivedPage {
  const { orderIds, candidates } = ordersOfPage(sql.archivePage.all(after ?? '', before, limit));
  const finished = candidates.filter((orderId) => {
    const record = readRecord(sql, orderId);
    return record !== null && !hasOpenMatter(record);
  });
  for (const orderId of finished) for (const move of sql.archive) move.run(orderId);
  return { archived: finished.length, next: nextAfter(orderIds, limit) };
}
