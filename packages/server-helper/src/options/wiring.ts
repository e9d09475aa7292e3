import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import { isThisMachine } from '../gateway/addresses.ts';
import type { Pages, PaymentsOptions, Routes } from './payments-options.ts';

/** Options that were checked and filled in, once, at start. */
export interface Wiring {
  /** The shop's address, without a slash behind it. */
  readonly publicUrl: string;
  readonly publicOrigin: string;
  /** `/pay`, without a slash behind it; empty when the router is mounted at the root. */
  readonly mountPath: string;
  readonly routes: Required<Routes>;
  readonly pages: Pages;
}

/** The options that hold addresses. */
type WiringOptions = Pick<
  PaymentsOptions<never>,
  'gateway' | 'publicUrl' | 'mountPath' | 'routes' | 'pages'
>;

const defaultRoutes: Required<Routes> = {
  checkout: '/checkout',
  return: '/return',
  status: '/status',
  webhook: '/webhook',
  health: '/health',
};

/** Path segments without anything that a router or a browser would read in a second way. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

const pageNames: readonly (keyof Pages)[] = ['success', 'pending', 'failure'];

/**
 * Checks the addresses at start, so that a mistake meets the developer and not the shopper.
 *
 * @throws {@link ConfigurationError} `invalid_public_url`, `invalid_mount_path`, `route_conflict`,
 * `invalid_page`, all at once.
 */
export function resolveWiring(options: WiringOptions): Wiring {
  const isProduction = options.gateway?.environment === 'production';
  const publicUrl = URL.parse(options.publicUrl);
  const mountPath = withoutSlash(options.mountPath ?? '/pay');
  const given = Object.entries(options.routes ?? {}).filter(([, path]) => path !== undefined);
  const routes: Required<Routes> = { ...defaultRoutes, ...Object.fromEntries(given) };
  throwEveryMistake([
    () => checkPublicUrl(publicUrl, isProduction),
    () => checkPath('mountPath', mountPath),
    ...Object.entries(routes).map(
      ([name, path]) =>
        () =>
          checkRoute(name, path),
    ),
    () => checkDistinct(routes),
    ...pageNames.map((name) => () => checkPage(name, options.pages?.[name], publicUrl)),
  ]);
  const { origin, pathname } = publicUrl ?? new URL(options.publicUrl);
  return {
    publicUrl: `${origin}${withoutSlash(pathname)}`,
    publicOrigin: origin,
    mountPath,
    routes,
    pages: options.pages,
  };
}

/** A value that is not a text is left for its check to refuse. */
const withoutSlash = (path: string): string =>
  typeof path === 'string' ? path.replace(/\/$/, '') : path;

function checkPublicUrl(url: URL | null, isProduction: boolean): void {
  const setting = 'publicUrl';
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (!isPlain) {
    throw new ConfigurationError('invalid_public_url', {
      setting,
      what: 'publicUrl must be the shop’s own http(s) address without credentials, query or fragment.',
      why: 'The gateway sends shoppers back to addresses below it; the Host header is never believed.',
      fix: 'Give the address that shoppers see, such as "https://shop.example".',
    });
  }
  if (isProduction && url.protocol !== 'https:') {
    throw new ConfigurationError('invalid_public_url', {
      setting,
      what: 'publicUrl must be https in production.',
      why: 'The addresses that we hand out carry tokens.',
      fix: 'Give the https address, and end TLS in front of the shop or in it.',
    });
  }
  if (isProduction && isThisMachine(url.hostname)) {
    throw new ConfigurationError('invalid_public_url', {
      setting,
      what: 'publicUrl must not be this machine in production.',
      why: 'A shopper who has paid would be sent to their own machine.',
      fix: 'Give the address that shoppers see, such as "https://shop.example".',
    });
  }
}

function checkPath(setting: string, path: unknown): void {
  if (typeof path === 'string' && PATH.test(path)) return;
  throw new ConfigurationError('invalid_mount_path', {
    setting,
    what: `The path ${JSON.stringify(path)} is no path of plain segments.`,
    why: 'A router or a browser could read it in a second way.',
    fix: 'Start with a slash and use letters, digits, dots, dashes, underscores and tildes, such as "/pay".',
  });
}

function checkRoute(name: string, path: unknown): void {
  if (name === 'return' || path !== false) checkPath(`routes.${name}`, path);
}

function checkPage(name: keyof Pages, page: string | undefined, publicUrl: URL | null): void {
  const base = publicUrl?.href ?? 'https://shop.invalid/';
  const isPath = typeof page === 'string' && page.startsWith('/') && !/[\p{Cc}\\]/u.test(page);
  if (isPath && URL.parse(page, base)?.origin === new URL(base).origin) return;
  throw new ConfigurationError('invalid_page', {
    setting: `pages.${name}`,
    what: `The page pages.${name} is missing or leads away from the shop.`,
    why: 'Shoppers are sent there when they come back from the gateway.',
    fix: 'Give a path of the shop that starts with one slash, such as "/thanks/:orderId".',
  });
}

/** One address pattern of a route; `:` is a segment that varies. */
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
