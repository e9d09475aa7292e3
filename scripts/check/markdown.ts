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
    addAnchors(content, anchors);
    const prose = content.replaceAll(/(`+)[^`]*\1/g, '');
    for (const pattern of linkPatterns) {
      for (const found of prose.matchAll(pattern)) {
        links.push({ line: index + 1, target: found[1] ?? '' });
      }
    }
  }
  return { links, anchors, blocks };
}

function addAnchors(content: string, anchors: Set<string>): void {
  for (const found of content.matchAll(/<\w+[^>]*\s(?:id|name)="([^"]+)"/g)) {
    anchors.add(found[1] ?? '');
  }
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content)?.[1];
  if (heading === undefined) return;
  const slug = slugOf(heading);
  let name = slug;
  for (let copy = 1; anchors.has(name); copy += 1) name = `${slug}-${copy}`;
  anchors.add(name);
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
