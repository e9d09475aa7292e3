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
import { whole } from '../rows.ts';

const numbered = (position: number): string => `?${position}`;

type FigureStatements = Readonly<
  Record<'insertMovement' | 'movements' | 'moved' | 'created' | 'held', StatementSync>
>;

/** Statements that write movements and add them up. */
export function figureStatements(prepare: (sql: string) => StatementSync): FigureStatements {
  const places = Object.keys(movementColumns).map(() => '?');
  return {
    insertMovement: prepare(
      `INSERT INTO pay_movements (${namesOf(movementColumns)}) VALUES (${places.join(', ')})`,
    ),
    movements: prepare(`SELECT COUNT(*) AS count FROM (SELECT 1 FROM pay_movements
      WHERE recorded_at >= ?1 AND recorded_at < ?2 LIMIT ?3)`),
    moved: prepare(movedStatement(numbered)),
    created: prepare(createdStatement(numbered, '?3')),
    held: prepare(heldStatement(numbered)),
  };
}

/** A span is read in parts of about so many movements: the process does other work in between. */
const PART = 500;
/** In so many parts at most, an hour of a day each. */
const MAX_PARTS = 24;

/** Adds up spans, one after the other. */
export async function figures(
  sql: FigureStatements,
  spans: readonly FigureSpan[],
): Promise<readonly SpanFigures[]> {
  const found: SpanFigures[] = [];
  for (const span of spans) found.push(await figuresIn(sql, span));
  return found;
}

async function figuresIn(sql: FigureStatements, { from, to }: FigureSpan): Promise<SpanFigures> {
  const movements = whole(sql.movements.get(from, to, PART * MAX_PARTS) ?? {}, 'count');
  const length = Math.ceil((to - from) / Math.max(1, Math.ceil(movements / PART)));
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
