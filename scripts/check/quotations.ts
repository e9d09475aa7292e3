import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foundResult, type StepResult } from '../process/report-step.ts';
import { houseFiles } from '../tidy/house-files.ts';
import { readDocument } from './markdown.ts';

/** The first line of such a block is <code>```ts from examples/shop.ts</code>. */
const quotation = /^\w+ from (\S+)$/;

/** Checks that a code block that names a file is that file: what is read is what is tried. */
export async function checkQuotations(top: string): Promise<StepResult> {
  const findings: string[] = [];
  let count = 0;
  for (const { path, text } of houseFiles(top)) {
    if (!path.endsWith('.md')) continue;
    for (const { info, line, code } of readDocument(text).blocks) {
      const quoted = quotation.exec(info)?.[1];
      if (quoted === undefined) continue;
      count += 1;
      const file = join(top, quoted);
      if (existsSync(file) && readFileSync(file, 'utf8') === code) continue;
      findings.push(`${path}:${line}  is not ${quoted}; copy the file into the block.`);
    }
  }
  return foundResult(findings, `${count} quotations`);
}
