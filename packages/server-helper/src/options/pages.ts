import { ConfigurationError } from '../errors.ts';
import type { Pages } from './payments-options.ts';

export const pageNames: readonly (keyof Pages)[] = ['success', 'pending', 'failure'];

/** Where pages may be. */
interface PageSites {
  readonly publicUrl: URL | null;
  readonly frontEnds: ReadonlySet<string>;
}

/** The pages as absolute addresses. */
export const resolvePages = (pages: Pages, publicUrl: string): Pages => ({
  success: absolute(pages.success, publicUrl),
  pending: absolute(pages.pending, publicUrl),
  failure: absolute(pages.failure, publicUrl),
});

const absolute = (page: string, publicUrl: string): string =>
  page.startsWith('/') ? `${publicUrl}${page}` : page;

/**
 * Checks that a page is a path of the shop, or an address of the shop's origin or of a front end's.
 *
 * @throws {@link ConfigurationError} `invalid_page`.
 */
export function checkPage(name: keyof Pages, page: string | undefined, sites: PageSites): void {
  const base = sites.publicUrl?.href ?? 'https://shop.invalid/';
  const { origin } = new URL(base);
  const isPlain = typeof page === 'string' && !/[\p{Cc}\\]/u.test(page);
  if (isPlain && page.startsWith('/') && URL.parse(page, base)?.origin === origin) {
    checkNotDoubled(name, page, new URL(base).pathname.replace(/\/$/, ''));
    return;
  }
  const url = isPlain ? URL.parse(page) : null;
  const isOwn = url !== null && (url.origin === origin || sites.frontEnds.has(url.origin));
  if (isOwn && url.username === '' && url.password === '') return;
  throw new ConfigurationError('invalid_page', {
    setting: `pages.${name}`,
    what: `The page pages.${name} is missing or leads away from the shop.`,
    why: 'Shoppers are sent there when they come back from the gateway.',
    fix: 'Give a path of the shop that starts with one slash, such as "/thanks/:orderId", or an address whose origin is in cors.origins.',
  });
}

/** A page stands below `publicUrl`, so that the shop's path before it would stand there twice. */
function checkNotDoubled(name: keyof Pages, page: string, shopPath: string): void {
  const [path = ''] = page.split(/[?#]/);
  if (shopPath === '' || !`${path}/`.startsWith(`${shopPath}/`)) return;
  throw new ConfigurationError('invalid_page', {
    setting: `pages.${name}`,
    what: `The page pages.${name} begins with ${shopPath}, which publicUrl ends in: shoppers would be sent to ${shopPath}${page}.`,
    why: 'A shopper who has paid would find nothing there.',
    fix: `Give the path below publicUrl: "${page.slice(shopPath.length) || '/'}".`,
  });
}
