import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a list of documents says of one. */
export interface Page {
  readonly title: string;
  /** The first sentence of its prose, without markup; empty where it has no prose. */
  readonly about: string;
}

/** Reads a document's title and first sentence; one that is not written yet is named by its path. */
export function readPage(top: string, path: string): Page {
  const file = join(top, path);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  return { title: title.replaceAll('`', ''), about: firstSentence(text) };
}

function firstSentence(text: string): string {
  const withoutCode = text.replaceAll(/^```.*?^```$/gms, '');
  const paragraphs = withoutCode.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const prose = paragraphs.find((paragraph) => /^(?:[\p{L}`[]|\*\*)/u.test(paragraph)) ?? '';
  const line = withoutMarkup(prose).replaceAll(/\s+/g, ' ');
  return /^.+?\.(?= |$)/.exec(line)?.[0] ?? line;
}

/** Links become their words; emphasis goes, code keeps its marks. */
const withoutMarkup = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '');
