const unitsMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/**
 * An ISO 8601 duration in milliseconds, or null. Years and months have no fixed length and are
 * not read.
 */
export function readDuration(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const parts =
    /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/.exec(
      value,
    );
  if (parts === null) return null;
  const total = unitsMs.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : null;
}

/** An ISO 8601 instant with its offset, in epoch milliseconds, or null. */
export function readInstant(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
  const instant = isInstant ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}
