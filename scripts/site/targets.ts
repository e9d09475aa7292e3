import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { decisions, type Page } from './pages.ts';

/** Where a link of a document leads on the site; `null` is a file that the site cannot show. */
export type Target = string | null;

/**
 * Translates the links of the documents, which are written for the repository, into the site's:
 * pages get their address, other files that of the repository, where one is named.
 */
export function targetsOf(
  top: string,
  pages: readonly Page[],
  repository: string | undefined,
): (from: string, link: string) => Target {
  const addresses = new Map(pages.map(({ path, address }) => [path, address]));
  const firstDecision = pages.find(({ part }) => part === decisions)?.address;
  return (from, link) => {
    const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
    if (file === '' || /^[a-z][a-z+.-]*:|^\//i.test(file)) return link;
    const path = posix.join(posix.dirname(from), decodeURI(file)).replace(/\/$/, '');
    const folder = path === 'docs/decisions' ? firstDecision : undefined;
    const address = addresses.get(path) ?? addresses.get(`${path}/README.md`) ?? folder;
    if (address !== undefined) return `/${address === 'index' ? '' : address}${anchor}`;
    // A link that leads nowhere is left as it is, for the generator to refuse.
    if (!existsSync(join(top, path))) return link;
    return repository === undefined ? null : `${repository}/blob/main/${path}${anchor}`;
  };
}

/** The web address of the repository that a manifest names in any of npm's ways. */
export function repositoryAddress(manifest: {
  readonly repository?: string | { readonly url: string };
}): string | undefined {
  const { repository } = manifest;
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url
    ?.replace(/^github:|^(?=[\w-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/^git\+/, '')
    .replace(/\.git$/, '');
}
