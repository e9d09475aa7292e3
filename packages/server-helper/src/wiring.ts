import { ConfigurationError } from './errors.ts';
import type { Pages, PaymentsOptions, Routes } from './options.ts';

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
 * @throws {@link ConfigurationError} `invalid_public_url`, `invalid_mount_path`, `invalid_page`.
 */
export function resolveWiring<Tx, Asking>(options: PaymentsOptions<Tx, Asking>): Wiring {
  const publicUrl = readPublicUrl(options.publicUrl, options.gateway?.environment === 'production');
  const mountPath = (options.mountPath ?? '/pay').replace(/\/$/, '');
  const given = Object.entries(options.routes ?? {}).filter(([, path]) => path !== undefined);
  const routes: Required<Routes> = { ...defaultRoutes, ...Object.fromEntries(given) };
  const { return: returnPath, ...optional } = routes;
  const served = Object.values(optional).filter((path) => path !== false);
  const wrong = [mountPath, returnPath, ...served].find((path) => !PATH.test(path));
  if (wrong !== undefined) {
    throw new ConfigurationError(
      'invalid_mount_path',
      `The path ${JSON.stringify(wrong)} must start with a slash and hold plain segments, such as "/pay".`,
    );
  }
  for (const name of pageNames) checkPage(name, options.pages?.[name], publicUrl);
  return {
    publicUrl: `${publicUrl.origin}${publicUrl.pathname.replace(/\/$/, '')}`,
    publicOrigin: publicUrl.origin,
    mountPath,
    routes,
    pages: options.pages,
  };
}

function readPublicUrl(text: string, isProduction: boolean): URL {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (
    !isWeb ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ConfigurationError(
      'invalid_public_url',
      'publicUrl must be the shop’s own http(s) address without credentials, query or fragment, such as "https://shop.example".',
    );
  }
  if (isProduction && url.protocol !== 'https:') {
    throw new ConfigurationError(
      'invalid_public_url',
      'publicUrl must be https in production: the addresses that we hand out carry tokens.',
    );
  }
  return url;
}

function checkPage(name: keyof Pages, page: string | undefined, publicUrl: URL): void {
  const isPath = typeof page === 'string' && page.startsWith('/') && !/[\p{Cc}\\]/u.test(page);
  if (isPath && URL.parse(page, publicUrl.href)?.origin === publicUrl.origin) return;
  throw new ConfigurationError(
    'invalid_page',
    `The page pages.${name} must be a path of the shop that starts with one slash, such as "/thanks/:orderId".`,
  );
}
