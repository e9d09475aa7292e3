import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { StepResult } from '../process/report-step.ts';
import { houseFiles } from '../tidy/house-files.ts';
import { readDocument, type Document } from './markdown.ts';

/** Checks that every relative link in a document leads to a file, and its anchor to a heading. */
export async function checkLinks(top: string): Promise<StepResult> {
  const documents = new Map<string, Document>();
  for (const { path, text } of houseFiles(top)) {
    if (path.endsWith('.md')) documents.set(path, readDocument(text));
  }
  const findings: string[] = [];
  for (const [path, { links }] of documents) {
    for (const { line, target } of links) {
      const broken = brokenBecause(top, documents, path, target);
      if (broken !== undefined) findings.push(`${path}:${line}  ${target}: ${broken}`);
    }
  }
  if (findings.length > 0) return { ok: false, details: findings.join('\n') };
  return { ok: true, remark: `${documents.size} documents` };
}

function brokenBecause(
  top: string,
  documents: ReadonlyMap<string, Document>,
  from: string,
  target: string,
): string | undefined {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(target)) return undefined;
  const [address = '', anchor] = target.split('#');
  const path = address === '' ? from : posix.join(posix.dirname(from), decodeURI(address));
  if (path.startsWith('..') || path.startsWith('/')) return 'leads out of the repository';
  if (!existsSync(join(top, path))) return 'there is no such file';
  if (anchor === undefined) return undefined;
  const document = documents.get(path);
  if (document === undefined) {
    const lines = /^L\d+/.test(anchor) && statSync(join(top, path)).isFile();
    return lines ? undefined : 'only a document has anchors';
  }
  return document.anchors.has(decodeURI(anchor)) ? undefined : 'no heading has this anchor';
}
