import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { judgeFindings } from '../steps.ts';
import { houseFiles } from '../tidy/house-files.ts';

/**
 * Checks that every link to this repository leads to a file, and its anchor to a heading. A document
 * of a package is read without the repository too, so there a link to what the package does not hold
 * is an address on the web.
 */
export async function checkLinks(top: string): Promise<string> {
  const documents = readDocuments(top);
  const manifest = readFileSync(join(top, 'package.json'), 'utf8');
  /** The repository's address on the web. */
  const [, web = ''] = /"git\+(https:.+)\.git"/.exec(manifest) ?? [];
  const brokenBecause = (from: string, target: string): string | undefined => {
    const [, own] = target.startsWith(`${web}/`)
      ? (/^\/(?:blob|raw|tree)\/main\/(.+)/.exec(target.slice(web.length)) ?? [])
      : [];
    if (own === undefined && /^[a-z][a-z+.-]*:|^\/\//i.test(target)) return undefined;
    const [address = '', anchor] = (own ?? target).split('#');
    const base = own === undefined ? posix.dirname(from) : '';
    const path = address === '' ? from : posix.join(base, decodeURI(address));
    if (path.startsWith('..') || path.startsWith('/')) return 'leads out of the repository';
    const [folder = ''] = /^packages\/[^/]+\//.exec(from) ?? [];
    if (own === undefined && !path.startsWith(folder)) {
      return `the package does not hold it: write ${web}/blob/main/${path}`;
    }
    if (!existsSync(join(top, path))) return 'there is no such file';
    if (anchor === undefined) return undefined;
    const document = documents.get(path);
    if (document === undefined) {
      const lines = /^L\d+/.test(anchor) && statSync(join(top, path)).isFile();
      return lines ? undefined : 'only a document has anchors';
    }
    return document.anchors.has(decodeURI(anchor)) ? undefined : 'no heading has this anchor';
  };
  const findings: string[] = [];
  for (const [path, { links }] of documents) {
    for (const { line, target } of links) {
      const broken = brokenBecause(path, target);
      if (broken !== undefined) findings.push(`${path}:${line}  ${target}: ${broken}`);
    }
  }
  return judgeFindings(findings, `${documents.size} documents`);
}

/** The first line of such a block is <code>```ts from examples/shop.ts</code>. */
const quotation = /^\w+ from (\S+)$/;

/** Checks that a code block that names a file is that file: what is read is what is tried. */
export async function checkQuotations(top: string): Promise<string> {
  const findings: string[] = [];
  let count = 0;
  for (const [path, { blocks }] of readDocuments(top)) {
    for (const { info, line, code } of blocks) {
      const quoted = quotation.exec(info)?.[1];
      if (quoted === undefined) continue;
      count += 1;
      const file = join(top, quoted);
      if (existsSync(file) && readFileSync(file, 'utf8') === code) continue;
      findings.push(`${path}:${line}  is not ${quoted}; copy the file into the block.`);
    }
  }
  return judgeFindings(findings, `${count} quotations`);
}

const readDocuments = (top: string): ReadonlyMap<string, Document> =>
  new Map(
    houseFiles(top)
      .filter(({ path }) => path.endsWith('.md'))
      .map(({ path, text }) => [path, readDocument(text)]),
  );

/** A document taken apart; links and headings in code do not count. */
export type Document = ReturnType<typeof readDocument>;

const linkPatterns = [
  /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s*\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/g,
  /\s(?:href|src|srcset)="([^"\s]+)"/g,
];

/** Reads the parts of a Markdown document that the checks need. */
export function readDocument(text: string) {
  const links: { line: number; target: string }[] = [];
  const anchors = new Set<string>();
  /** `info` is what follows the fence, `line` that of the first line of code. */
  const blocks: { line: number; info: string; code: string }[] = [];
  let open: { fence: string; info: string; line: number; code: string[] } | undefined;
  for (const [index, content] of text.split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(content);
    if (open !== undefined) {
      if (fence?.[1]?.startsWith(open.fence) === true && fence[2] === '') {
        blocks.push({ line: open.line, info: open.info, code: `${open.code.join('\n')}\n` });
        open = undefined;
      } else {
        open.code.push(content);
      }
      continue;
    }
    if (fence?.[1] !== undefined) {
      open = { fence: fence[1], info: (fence[2] ?? '').trim(), line: index + 2, code: [] };
      continue;
    }
    for (const found of content.matchAll(/<\w+[^>]*\s(?:id|name)="([^"]+)"/g)) {
      anchors.add(found[1] ?? '');
    }
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content)?.[1];
    if (heading !== undefined) {
      const slug = slugOf(heading);
      let name = slug;
      for (let copy = 1; anchors.has(name); copy += 1) name = `${slug}-${copy}`;
      anchors.add(name);
    }
    const prose = content.replaceAll(/(`+)[^`]*\1/g, '');
    for (const pattern of linkPatterns) {
      for (const found of prose.matchAll(pattern)) {
        links.push({ line: index + 1, target: found[1] ?? '' });
      }
    }
  }
  return { links, anchors, blocks };
}

/** The part of a document below a heading, up to the next of its rank. @throws where there is none. */
export function partOf(text: string, heading: string): string {
  const [, rest] = text.split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`There is no section "${heading}" any more.`);
  const [rank = ''] = /^#+ /.exec(heading) ?? [];
  return rest.split(`\n${rank}`)[0] ?? '';
}

/** The anchor that GitHub gives a heading. */
export function slugOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
}
