import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import { areExactOrigins, isThisMachine } from '../gateway/settings.ts';
import type { Routes } from './edge-options.ts';
import { checkPage, pageNames, resolvePages } from './pages.ts';
import type { Pages, PaymentsOptions } from './payments-options.ts';

/** Options that were checked and filled in, once, at start. */
export interface Wiring {
  /** The shop's address, without a slash behind it. */
  readonly publicUrl: string;
  readonly publicOrigin: string;
  /** The path of `publicUrl`, without a slash behind it; empty for a shop at the root. */
  readonly shopPath: string;
  /** `/pay`, without a slash behind it; empty when the router is mounted at the root. */
  readonly mountPath: string;
  /** The router's path as browsers see it: `/pay`, or `/shop/pay` for a shop below a path. */
  readonly publicMount: string;
  readonly routes: Required<Routes>;
  /** Absolute addresses, in which `:orderId` stands for the order's id. */
  readonly pages: Pages;
  /** Origins of front ends beside the shop's own. */
  readonly frontEnds: ReadonlySet<string>;
}

/** The options that hold addresses. */
type WiringOptions = Pick<
  PaymentsOptions<never>,
  'gateway' | 'publicUrl' | 'mountPath' | 'routes' | 'pages' | 'cors'
>;

const defaultRoutes: Required<Omit<Routes, 'live' | 'ready'>> = {
  checkout: '/checkout',
  link: '/link',
  return: '/return',
  status: '/status',
  webhook: '/webhook',
  health: '/health',
};

/** The paths of all routes. The probes go where the health route goes, unless they have a path of their own. */
export function routesOf(options: Routes = {}): Required<Routes> {
  const given = Object.entries(options).filter(([, path]) => path !== undefined);
  const routes = { ...defaultRoutes, ...(Object.fromEntries(given) as Routes) };
  const { health } = routes;
  const below = (path: string): string | false => typeof health === 'string' && `${health}${path}`;
  return { live: below('/live'), ready: below('/ready'), ...routes };
}

/** Path segments without anything that a router or a browser would read in a second way. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

/**
 * Checks the addresses at start, so that a mistake meets the developer and not the shopper.
 *
 * @throws {@link ConfigurationError} `invalid_public_url`, `invalid_mount_path`, `route_conflict`,
 * `invalid_cors_origins`, `invalid_page`, all at once.
 */
export function resolveWiring(options: WiringOptions): Wiring {
  const publicUrl = URL.parse(options.publicUrl);
  const mountPath = withoutSlash(options.mountPath ?? '/pay');
  const routes = routesOf(options.routes);
  const { environment } = options.gateway ?? {};
  const frontEnds = originsOf(options);
  throwEveryMistake([
    () => checkPublicUrl(publicUrl, environment === 'production'),
    () => checkPath('mountPath', mountPath),
    ...Object.entries(routes).map(
      ([name, path]) =>
        () =>
          checkRoute(name, path),
    ),
    () => checkDistinct(routes),
    () => checkOrigins(options),
    ...pageNames.map(
      (name) => () => checkPage(name, options.pages?.[name], { publicUrl, frontEnds }),
    ),
  ]);
  const { origin, pathname } = publicUrl ?? new URL(options.publicUrl);
  const shopPath = withoutSlash(pathname);
  return {
    publicUrl: `${origin}${shopPath}`,
    publicOrigin: origin,
    shopPath,
    mountPath,
    publicMount: publicMountOf(shopPath, mountPath),
    routes,
    pages: resolvePages(options.pages, `${origin}${shopPath}`),
    frontEnds,
  };
}

/**
 * The router's path as browsers see it. A mount that begins with the shop's path is the whole path:
 * no proxy takes the shop's path off, so it stands in the address once.
 */
export const publicMountOf = (shopPath: string, mountPath: string): string =>
  `${mountPath}/`.startsWith(`${shopPath}/`) ? mountPath : `${shopPath}${mountPath}`;

/** A list that is none is left for its check to refuse. */
function originsOf({ cors }: Pick<WiringOptions, 'cors'>): ReadonlySet<string> {
  const origins: unknown = cors?.origins;
  return new Set(Array.isArray(origins) ? origins.map(String) : []);
}

function checkOrigins({ cors, gateway }: WiringOptions): void {
  if (cors === undefined || areExactOrigins(cors?.origins, gateway?.environment)) return;
  throw new ConfigurationError('invalid_cors_origins', {
    setting: 'cors.origins',
    what: 'cors.origins must list exact origins: scheme and host, a port that is not the usual one, and nothing behind; https in production.',
    why: 'Pages of these origins, and of no others, may start payments with a shopper’s cookies.',
    fix: 'Give origins such as "https://www.shop.example", or leave it out.',
  });
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

/** A path of plain segments. @throws {@link ConfigurationError} `invalid_mount_path`. */
export function checkPath(setting: string, path: unknown): void {
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

/** One address pattern of a route; `:` is a segment that varies. */
interface Pattern {
  readonly route: string;
  readonly segments: readonly string[];
}

/** What follows a route's path in the addresses that it serves. */
const tails: Readonly<Record<string, readonly string[]>> = {
  link: ['/:'],
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
