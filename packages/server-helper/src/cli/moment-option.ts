import { isDay } from '../flows/figures.ts';
import { textOf, UsageError, type Values } from './command.ts';

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * An option that takes a moment: a day, which begins in UTC, or ISO 8601 with a time zone.
 *
 * @throws {@link UsageError} for another text, such as a time without a zone.
 */
export function momentOption(values: Values, name: string, command: string): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const [, day] = MOMENT.exec(text) ?? [];
  const at = day === undefined || !isDay(day) ? Number.NaN : Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new UsageError(
    `--${name} takes a day such as 2026-11-01, which begins in UTC, or a time with its zone, such as 2026-11-01T00:00:00+03:00.`,
    command,
  );
}
