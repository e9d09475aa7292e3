import type { Target } from './targets.ts';

/** As much of a markdown-it token as a link needs. */
interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Where the document is; the real path is told only for pages whose `path` is the translated one. */
interface Environment {
  readonly path: string;
  readonly realPath?: string;
}

/** As much of markdown-it as a rule about links needs; the generator brings the real one. */
interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: Environment }) => void): void;
    };
  };
}

/**
 * Makes the site's parser translate every link; one without a target is left as its text alone.
 * `pathOf` tells a document's path in the repository from its path on the disk.
 */
export function translateLinks(
  markdown: Markdown,
  pathOf: (file: string) => string,
  target: (from: string, link: string) => Target,
): void {
  markdown.core.ruler.push('translate-links', ({ tokens, env }) => {
    const from = pathOf(env.realPath ?? env.path);
    for (const { children } of tokens) {
      if (children !== null) translate(children, (link) => target(from, link));
    }
  });
}

/** Links do not nest, so an end belongs to the last beginning. */
function translate(children: Token[], target: (link: string) => Target): void {
  let dropped = false;
  const kept = children.filter((token) => {
    if (token.type === 'link_close') return !dropped;
    if (token.type !== 'link_open') return true;
    const address = target(token.attrGet('href') ?? '');
    dropped = address === null;
    if (address !== null) token.attrSet('href', address);
    return !dropped;
  });
  children.splice(0, children.length, ...kept);
}
