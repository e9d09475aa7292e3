import { ConfigurationError } from './errors.ts';
import type { Routes } from './options.ts';

/** One address pattern of a route; `:` stands for a segment that varies. */
interface Pattern {
  readonly route: string;
  readonly segments: readonly string[];
}

/** What follows a route's path in the addresses that it serves. */
const tails: Readonly<Record<string, readonly string[]>> = {
  return: ['/success/:', '/failure/:'],
  status: ['/:'],
  webhook: ['', '/:'],
};

/**
 * Checks that no address is served by two routes.
 *
 * @throws {@link ConfigurationError} `route_conflict`.
 */
export function checkDistinct(routes: Readonly<Record<keyof Routes, string | false>>): void {
  const patterns = Object.entries(routes).flatMap(([route, path]) => patternsOf(route, path));
  for (const [index, one] of patterns.entries()) {
    const other = patterns.slice(0, index).find((before) => overlaps(before, one));
    if (other === undefined) continue;
    throw new ConfigurationError('route_conflict', {
      setting: `routes.${one.route}`,
      what: `The routes ${other.route} and ${one.route} serve the same address /${one.segments.join('/')}.`,
      why: 'One of them would never be reached.',
      fix: 'Give each route a path of its own, or leave one out with false.',
    });
  }
}

function patternsOf(route: string, path: unknown): readonly Pattern[] {
  if (typeof path !== 'string') return [];
  return (tails[route] ?? ['']).map((tail) => ({
    route,
    // Express reads paths without case.
    segments: `${path}${tail}`.toLowerCase().split('/').slice(1),
  }));
}

function overlaps(one: Pattern, other: Pattern): boolean {
  return (
    one.route !== other.route &&
    one.segments.length === other.segments.length &&
    one.segments.every(
      (segment, at) =>
        [segment, other.segments[at]].some((part) => part === ':') ||
        segment === other.segments[at],
    )
  );
}
