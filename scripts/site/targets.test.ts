import { describe, expect, it } from 'vitest';
import { root } from '../process/root.ts';
import { sitePages } from './pages.ts';
import { repositoryAddress, targetsOf } from './targets.ts';

const pages = sitePages(root);
const target = targetsOf(root, pages, undefined);

describe('a link on the site', () => {
  it.each([
    ['docs/README.md', 'quick-start.md', '/quick-start'],
    ['docs/quick-start.md', '../packages/widget/README.md#limits', '/packages/widget#limits'],
    ['packages/widget/README.md', '../../docs/README.md', '/'],
    ['docs/README.md', '../examples', '/examples'],
    ['docs/README.md', 'decisions', '/decisions/0001-node-from-npm'],
    ['docs/errors.md', '#timeout', '#timeout'],
    ['docs/errors.md', 'https://example.com/x', 'https://example.com/x'],
  ])('from %s to %s leads to %s', (from, link, address) => {
    expect(target(from, link)).toBe(address);
  });

  it('to a source file leads into the repository, and nowhere while that has no address', () => {
    const link = '../demo/src/server.ts#L3';
    expect(target('docs/proof.md', link)).toBeNull();
    const known = targetsOf(root, pages, 'https://example.com/kit');
    expect(known('docs/proof.md', link)).toBe(
      'https://example.com/kit/blob/main/demo/src/server.ts#L3',
    );
  });

  it('that leads nowhere stays as it is, so that the build refuses it', () => {
    expect(target('docs/proof.md', 'gone.md')).toBe('gone.md');
  });
});

describe('the address of the repository', () => {
  it.each([
    [{}, undefined],
    [{ repository: 'github:shop/kit' }, 'https://github.com/shop/kit'],
    [{ repository: 'shop/kit' }, 'https://github.com/shop/kit'],
    [{ repository: { url: 'git+https://example.com/kit.git' } }, 'https://example.com/kit'],
  ])('of %j is %s', (manifest, address) => {
    expect(repositoryAddress(manifest)).toBe(address);
  });
});
