import { areExactOrigins, isThisMachine } from '../gateway/settings.ts';
import type { PaymentsOptions, Routes } from './payments-options.ts';
import { field, filled, group, type Mistaken, must, optional, type Rule } from '../option-rules.ts';

export type Wiring = ReturnType<typeof resolveWiring>;

type WiringOptions = Pick<
  PaymentsOptions<never>,
  'gateway' | 'publicUrl' | 'mountPath' | 'routes' | 'pages' | 'cors'
>;

/** Fills in the addresses. @param options - Without mistakes. */
export function resolveWiring({ cors, pages, ...options }: WiringOptions) {
  const { origin: publicOrigin, pathname } = new URL(options.publicUrl);
  const shopPath = withoutSlash(pathname);
  const publicUrl = `${publicOrigin}${shopPath}`;
  const mountPath = mountPathOf(options);
  const absolute = (page: string): string => (page.startsWith('/') ? `${publicUrl}${page}` : page);
  return {
    /** The shop's address, without a slash behind it. */
    publicUrl,
    publicOrigin,
    /** The path of `publicUrl`, without a slash behind it; empty for a shop at the root. */
    shopPath,
    /** `/pay`, without a slash behind it; empty when the router is mounted at the root. */
    mountPath,
    /** The router's path as browsers see it: `/pay`, or `/shop/pay` for a shop below a path. */
    publicMount: publicMountOf(shopPath, mountPath),
    routes: routesOf(options.routes),
    /** Absolute addresses, in which `:orderId` stands for the order's id. */
    pages: {
      success: absolute(pages.success),
      pending: absolute(pages.pending),
      failure: absolute(pages.failure),
    },
    frontEnds: new Set(cors?.origins) as ReadonlySet<string>,
  };
}

/** A value that is not a text is left for its rule to refuse. */
const withoutSlash = (path: string): string =>
  typeof path === 'string' ? path.replace(/\/$/, '') : path;

const mountPathOf = ({ mountPath = '/pay' }: Pick<WiringOptions, 'mountPath'>): string =>
  withoutSlash(mountPath);

/**
 * The router's path as browsers see it. A mount that begins with the shop's path is the whole path:
 * no proxy takes the shop's path off, so it stands in the address once.
 */
export const publicMountOf = (shopPath: string, mountPath: string): string =>
  `${mountPath}/`.startsWith(`${shopPath}/`) ? mountPath : `${shopPath}${mountPath}`;

/** The paths of all routes. The probes go where the health route goes, unless they have a path of their own. */
export function routesOf(options: Routes = {}): Required<Routes> {
  const given = filled(options);
  const { health = '/health' } = given;
  const below = (path: string): string | false => health !== false && `${health}${path}`;
  return {
    checkout: '/checkout',
    link: '/link',
    return: '/return',
    status: '/status',
    webhook: '/webhook',
    health,
    live: below('/live'),
    ready: below('/ready'),
    ...given,
  };
}

/** The addresses of the routes below the mount, with `:token` or `:key` for a last segment that varies. */
export function addressesBelow(routes: Required<Routes>) {
  const tails: Partial<Record<keyof Routes, readonly string[]>> = {
    link: ['/:token'],
    return: ['/success/:token', '/failure/:token'],
    status: ['/:token'],
    webhook: ['', '/:key'],
  };
  return (Object.keys(routes) as (keyof Routes)[])
    .filter((route) => routes[route] !== false)
    .flatMap((route) =>
      (tails[route] ?? ['']).map((tail) => [route, `${routes[route]}${tail}`] as const),
    );
}

/** What the options of addresses must obey, so that a mistake meets the developer and not the shopper. */
export function wiringRules(options: WiringOptions) {
  const { gateway, cors } = options;
  const url = URL.parse(options.publicUrl);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  const isProduction = gateway?.environment === 'production';
  const code = 'invalid_public_url';
  const origins: unknown = cors?.origins;
  const frontEnds = new Set(Array.isArray(origins) ? origins.map(String) : []);
  const page = field(pageRule(url, frontEnds));
  const routes = routesOf(options.routes);
  const route = field(
    (path, setting) =>
      path === false && setting !== 'routes.return' ? undefined : pathRule(path, setting),
    (_path, setting) => conflictOf(setting, routes),
  );
  return {
    publicUrl: field(
      must(
        () => isPlain,
        'publicUrl must be the shop’s own http(s) address without credentials, query, fragment or quotes.',
        'The gateway sends shoppers back to addresses below it; the Host header is never believed.',
        'Give the address that shoppers see, such as "https://shop.example".',
        code,
      ),
      must(
        () =>
          !isProduction || !isPlain || !(url.protocol === 'http:' || isThisMachine(url.hostname)),
        'publicUrl must be https in production, and not this machine.',
        'A shopper who has paid is sent there, with a token in the address.',
        'Give the https address that shoppers see, and end TLS in front of the shop or in it.',
        code,
      ),
    ),
    mountPath: () => field(pathRule)(mountPathOf(options), 'mountPath'),
    routes: () =>
      group(Object.fromEntries(Object.keys(routesOf()).map((name) => [name, route])))(
        routes,
        'routes',
      ),
    cors: optional(
      group({
        origins: field(
          must(
            (given) => areExactOrigins(given, gateway?.environment),
            'cors.origins must list exact origins: scheme and host, a port that is not the usual one, and nothing behind; https in production.',
            'Pages of these origins, and of no others, may start payments with a shopper’s cookies.',
            'Give origins such as "https://www.shop.example", or leave it out.',
            'invalid_cors_origins',
          ),
        ),
      }),
    ),
    pages: (given: unknown) =>
      group({ success: page, pending: page, failure: page })(given ?? {}, 'pages'),
  };
}

/** Path segments without anything that a router or a browser would read in a second way. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

export const pathRule: Rule = (path) =>
  typeof path === 'string' && PATH.test(path)
    ? undefined
    : {
        code: 'invalid_mount_path',
        what: `The path ${JSON.stringify(path)} is no path of plain segments.`,
        why: 'A router or a browser could read it in a second way.',
        fix: 'Start with a slash and use letters, digits, dots, dashes, underscores and tildes, such as "/pay".',
      };

/** Says that an address of a route is one of a route before it, too. */
function conflictOf(setting: string, routes: Required<Routes>): Mistaken | undefined {
  const addresses = addressesBelow(routes).map(([route, template]) => ({
    route,
    // Express reads paths without case.
    segments: template.toLowerCase().split('/').slice(1),
  }));
  const isOwn = ({ route }: { readonly route: string }): boolean => `routes.${route}` === setting;
  const before = addresses.slice(0, addresses.findIndex(isOwn));
  for (const { route, segments } of addresses.filter(isOwn)) {
    const other = before.find((one) => overlap(one.segments, segments));
    if (other === undefined) continue;
    return {
      code: 'route_conflict',
      what: `The routes ${other.route} and ${route} serve the same address /${segments.join('/')}.`,
      why: 'One of them would never be reached.',
      fix: 'Give each route a path of its own, or leave one out with false.',
    };
  }
  return undefined;
}

const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  one.every(
    (segment, at) =>
      segment === other[at] ||
      [segment, other[at]].some((part) => /^:(?:token|key)$/.test(part ?? '')),
  );

/** A page is a path of the shop, or an address of the shop's origin or of a front end's. */
function pageRule(publicUrl: URL | null, frontEnds: ReadonlySet<string>): Rule {
  const { href, origin, pathname } = publicUrl ?? new URL('https://shop.invalid/');
  const shopPath = withoutSlash(pathname);
  return (page, setting) => {
    const isPlain = typeof page === 'string' && !/[\p{Cc}\\{]|[/=]:(?!orderId\b)\p{L}/u.test(page);
    if (isPlain && page.startsWith('/') && URL.parse(page, href)?.origin === origin) {
      const [path = ''] = page.split(/[?#]/);
      if (shopPath === '' || !`${path}/`.startsWith(`${shopPath}/`)) return undefined;
      // A page stands below `publicUrl`, so that the shop's path before it would stand there twice.
      return {
        code: 'invalid_page',
        what: `The page ${setting} begins with ${shopPath}, which publicUrl ends in: shoppers would be sent to ${shopPath}${page}.`,
        why: 'A shopper who has paid would find nothing there.',
        fix: `Give the path below publicUrl: "${page.slice(shopPath.length) || '/'}".`,
      };
    }
    const url = isPlain ? URL.parse(page) : null;
    const isOwn = url !== null && (url.origin === origin || frontEnds.has(url.origin));
    if (isOwn && url.username === '' && url.password === '') return undefined;
    const isElsewhere = url !== null && !isOwn;
    return {
      code: 'invalid_page',
      what: isElsewhere
        ? `The page ${setting} is at ${url.origin}, which is neither the shop’s origin nor in cors.origins.`
        : `The page ${setting} is missing, begins with no slash, or has another placeholder than :orderId.`,
      why: 'Shoppers are sent there when they come back from the gateway.',
      fix: 'Give a path of the shop that starts with one slash, such as "/thanks/:orderId", or an address whose origin is in cors.origins.',
    };
  };
}
