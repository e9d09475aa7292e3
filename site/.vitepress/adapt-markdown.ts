import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathOnSite } from './pages.ts';

interface Token {
  readonly type: string;
  tag: string;
  readonly info: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrs: [name: string, value: string][] | null;
}

interface Environment {
  /** The document's file. */
  readonly path: string;
  /** The files of what it includes. */
  readonly includes?: readonly string[];
}

type Rule = (tokens: readonly Token[], index: number, ...more: never[]) => string;

/** As much of markdown-it as these changes need; VitePress brings the real one. */
interface Markdown {
  readonly renderer: { readonly rules: { fence?: Rule | undefined } };
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { readonly tokens: readonly Token[]; readonly env: Environment }) => void,
      ): unknown;
    };
  };
}

// VitePress runs in site/, and bundles this file elsewhere before it reads it.
const top = resolve(process.cwd(), '..');
const manifest = readFileSync(join(top, 'package.json'), 'utf8');
const [, web = ''] = /"git\+(https:.+)\.git"/.exec(manifest) ?? [];

/** A document of a package names what the package does not hold by its address on the web. */
const onWeb = new RegExp(`^${web.replaceAll('.', '[.]')}/(?:blob|raw|tree)/main/`);

/**
 * Adapts documents that are written for the repository: their links, blocks of `mermaid`, and the
 * headers of columns without a name, which are no headers to a screen reader.
 */
export function adaptMarkdown({ core, renderer: { rules } }: Markdown): void {
  core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const inside = { th_open: tokens[index + 1], th_close: tokens[index - 1] }[token.type];
      if (inside?.content === '') token.tag = 'td';
    }
  });
  core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      for (const attribute of token.attrs ?? []) {
        attribute[1] = attribute[1].replace(onWeb, `${relative(dirname(env.path), top) || '.'}/`);
      }
      if (token.type !== 'link_open') continue;
      token.attrs = (token.attrs ?? []).flatMap(([name, value]) => {
        if (name !== 'href') return [[name, value]];
        const address = addressOn(env, value);
        return address === null ? [] : [[name, address]];
      });
    }
  });
  const { fence } = rules;
  rules.fence = (tokens, index, ...more) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') {
      return fileNameOf(token?.info ?? '') + (fence?.(tokens, index, ...more) ?? '');
    }
    return `<MermaidDiagram source="${encodeURIComponent(token.content)}" />`;
  };
}

/** A quoted file's name in its example, which the repository shows above the block in no other way. */
function fileNameOf(info: string): string {
  const name = /^\w+ from examples\/[^/]+\/(\S+)$/.exec(info)?.[1];
  return name === undefined ? '' : `<p class="file-name"><code v-pre>${name}</code></p>`;
}

/**
 * A link as the site needs it; null where it leads to a source file, which the site does not have.
 * What a document includes keeps the links of the file that it comes from.
 */
function addressOn({ path: document, includes = [] }: Environment, link: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [path = '', anchor = ''] = link.split(/(?=#)/);
  const files = [document, ...includes].map((from) => resolve(dirname(from), path));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) return link;
  const readme = join(file, 'README.md');
  if (!path.endsWith('.md') && !existsSync(readme)) return null;
  const page = path.endsWith('.md') ? file : readme;
  return `/${pathOnSite(relative(top, page))}${anchor}`;
}
