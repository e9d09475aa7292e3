import { describe, expect, it } from 'vitest';
import { translateLinks } from './translate-links.ts';

class Token {
  readonly children: Token[] | null;
  readonly type: string;
  href: string | null;

  constructor(type: string, href: string | null = null, children: Token[] | null = null) {
    this.type = type;
    this.href = href;
    this.children = children;
  }

  attrGet(): string | null {
    return this.href;
  }

  attrSet(_name: string, value: string): void {
    this.href = value;
  }
}

function translated(...children: Token[]): readonly string[] {
  const tokens = [new Token('inline', null, children)];
  const push = (_name: string, rule: (state: object) => void): void =>
    rule({ tokens, env: { path: '/top/a.md' } });
  translateLinks(
    { core: { ruler: { push: push as never } } },
    (file) => file.replace('/top/', ''),
    (from, link) => (link === 'source.ts' ? null : `/${from}>${link}`),
  );
  return children.map(({ type, href }) => (href === null ? type : `${type} ${href}`));
}

const link = (href: string): Token[] => [
  new Token('link_open', href),
  new Token('text'),
  new Token('link_close'),
];

describe('the links of a parsed document', () => {
  it('get their translated address', () => {
    expect(translated(...link('b.md'))).toEqual(['link_open /a.md>b.md', 'text', 'link_close']);
  });

  it('without a target are left as their text, and those after them stay links', () => {
    expect(translated(...link('source.ts'), ...link('b.md'))).toEqual([
      'text',
      'link_open /a.md>b.md',
      'text',
      'link_close',
    ]);
  });
});
