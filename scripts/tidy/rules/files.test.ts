import { describe, expect, it } from 'vitest';
import { fileLength, fileName } from './files.ts';

const linesOf = (count: number, path = 'src/a.ts') =>
  fileLength.check({ path, text: 'const a = 1;\n'.repeat(count) });

describe('the file-length rule', () => {
  it('accepts 500 lines and refuses one more', () => {
    expect(linesOf(500)).toEqual([]);
    expect(linesOf(501)[0]?.message).toContain('501 lines');
  });

  it('lets a document be as long as its subject', () => {
    expect(linesOf(900, 'docs/guide.md')).toEqual([]);
  });
});

const namedFindings = (path: string) => fileName.check({ path, text: '' });

describe('the file-name rule', () => {
  it('refuses names that say nothing, in any folder and as a test too', () => {
    for (const path of ['src/utils.ts', 'helpers.ts', 'a/common.css', 'src/types.test.ts']) {
      expect(namedFindings(path)).toHaveLength(1);
    }
  });

  it('refuses what is not in kebab-case', () => {
    for (const path of ['src/payButton.ts', 'src/PayButton.ts', 'docs/my_guide.md']) {
      expect(namedFindings(path)[0]?.message).toContain('kebab-case');
    }
  });

  it('accepts kebab-case, its endings, and the names that custom fixes', () => {
    for (const path of [
      'src/pay-button.styles.ts',
      'src/utils/pay.node.test.ts',
      'README.md',
      'packages/widget/LICENSE',
      '.oxlintrc.json',
      'src/pages/pay/[...path].ts',
      'src/routes/+page.server.ts',
      'docs/decisions/0001-node-from-npm.md',
    ]) {
      expect(namedFindings(path)).toEqual([]);
    }
  });
});
