import type { StatementSync } from 'node:sqlite';
import { everyPaymentState } from '../../payments/payment.ts';
import { movementColumns, namesOf } from '../columns.ts';
import {
  createdOf,
  createdStatement,
  heldOf,
  heldStatement,
  movedOf,
  movedStatement,
  type FigureSpan,
  type HeldMoney,
  type MovedMoney,
  type SpanFigures,
} from '../figures.ts';

const numbered = (position: number): string => `?${position}`;

type FigureStatements = Readonly<
  Record<'insertMovement' | 'moved' | 'created' | 'held', StatementSync>
>;

/** Statements that write movements and add them up. */
export function figureStatements(prepare: (sql: string) => StatementSync): FigureStatements {
  const places = Object.keys(movementColumns).map(() => '?');
  return {
    insertMovement: prepare(
      `INSERT INTO pay_movements (${namesOf(movementColumns)}) VALUES (${places.join(', ')})`,
    ),
    moved: prepare(movedStatement(numbered)),
    created: prepare(createdStatement(numbered, '?3')),
    held: prepare(heldStatement(numbered)),
  };
}

/** A span is read in so many parts, an hour of a day each: the process does other work in between. */
const PARTS = 24;

/** Adds up a span. */
export async function figures(
  sql: FigureStatements,
  { from, to }: FigureSpan,
): Promise<SpanFigures> {
  const length = Math.ceil((to - from) / PARTS);
  const moved: MovedMoney[] = [];
  for (let start = from; start < to; start += length) {
    moved.push(...sql.moved.all(start, Math.min(to, start + length)).map(movedOf));
    await nextTurn();
  }
  const created = everyPaymentState.map((state) =>
    createdOf({ state, ...sql.created.get(from, to, state) }),
  );
  return { moved, created: created.filter(({ count }) => count > 0) };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Adds up the oldest authorizations. */
export const heldMoney = (sql: FigureStatements, limit: number): readonly HeldMoney[] =>
  sql.held.all(limit).map(heldOf);
