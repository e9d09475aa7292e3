import { findOperation } from '../operations.ts';
import { callFaultKinds, deliveryFaultKinds, faultOperations, faultPlaces } from './faults.ts';
import type { FaultKind, FaultPlace, FaultSketch } from './faults.ts';

const mostUses = 100_000;
const longestLatencyMs = 7 * 24 * 60 * 60 * 1000;
const longestRetryAfterSeconds = 86_400;
const mostDeliveries = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a fault from the body of a control call. A text names the mistake and its remedy. */
export function readFault(fields: Fields): FaultSketch | string {
  const place = faultPlaces.find((known) => known === fields['place']);
  if (place === undefined) return `"place" is one of ${faultPlaces.join(', ')}.`;
  const kinds = kindsAt(place);
  const kind = kinds.find((known) => known === fields['kind']);
  if (kind === undefined) return `"kind" at ${place} is one of ${kinds.join(', ')}.`;
  const target = readTarget(fields, kind, place);
  if (typeof target === 'string') return target;
  const numbers = readNumbers(fields);
  if (typeof numbers === 'string') return numbers;
  const { location } = fields;
  if (location !== undefined && !isWebAddress(location)) {
    return '"location" is an http or https address of at most 2048 characters.';
  }
  const where = location === undefined ? {} : { location };
  return { place, kind, ...target, ...numbers, ...where };
}

/** Before the commit there is no answer yet whose fields could be wrong. */
function kindsAt(place: FaultPlace): readonly FaultKind[] {
  if (place === 'delivery') return deliveryFaultKinds;
  return place === 'body' || place === 'after-commit'
    ? callFaultKinds
    : callFaultKinds.filter((kind) => kind !== 'wrong-fields');
}

function readTarget(
  { operation, merchantOrderId }: Fields,
  kind: FaultKind,
  place: FaultPlace,
): Partial<FaultSketch> | string {
  const known = operation === 'hostedPage' ? operation : findOperation(operation);
  if (known === null && operation !== undefined && operation !== null) {
    return `"operation" is one of ${faultOperations.join(', ')}, or left out for all.`;
  }
  if (known !== null && place === 'delivery') {
    return 'A delivery belongs to no operation; leave "operation" out.';
  }
  if (kind === 'stale' && known !== null && known !== 'retrieveStatus') {
    return 'Only retrieveStatus and pollStatus have an older answer to give.';
  }
  const order = merchantOrderId ?? null;
  if (order !== null && typeof order !== 'string') {
    return '"merchantOrderId" is a string, or left out for all.';
  }
  return { operation: known, merchantOrderId: order };
}

function readNumbers(fields: Fields): Partial<FaultSketch> | string {
  const ranges = {
    every: [1, mostUses],
    status: [400, 599],
    retryAfterSeconds: [0, longestRetryAfterSeconds],
    latencyMs: [0, longestLatencyMs],
    times: [2, mostDeliveries],
  } as const;
  const numbers: Record<string, number | null> = {};
  if (fields['count'] === null) numbers['count'] = null;
  else if (fields['count'] !== undefined) {
    const count = wholeNumber(fields['count'], 1, mostUses);
    if (count === null) {
      return `"count" is a whole number from 1 to ${mostUses}, or null: until it is lifted.`;
    }
    numbers['count'] = count;
  }
  for (const [name, [from, to]] of Object.entries(ranges)) {
    if (fields[name] === undefined) continue;
    const value = wholeNumber(fields[name], from, to);
    if (value === null) return `"${name}" is a whole number from ${from} to ${to}.`;
    numbers[name] = value;
  }
  return numbers;
}

function wholeNumber(value: unknown, from: number, to: number): number | null {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return fits ? value : null;
}

function isWebAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 2048 &&
    /^https?:\/\/[\u0021-\u007e]+$/i.test(value) &&
    URL.canParse(value)
  );
}
