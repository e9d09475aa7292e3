import { describe, expect, it } from 'vitest';
import { fileName } from './file-name.ts';

const findings = (path: string) => fileName.check({ path, text: '' });

describe('the file-name rule', () => {
  it('refuses names that say nothing, in any folder and as a test too', () => {
    for (const path of ['src/utils.ts', 'helpers.ts', 'a/common.css', 'src/types.test.ts']) {
      expect(findings(path)).toHaveLength(1);
    }
  });

  it('refuses what is not in kebab-case', () => {
    for (const path of ['src/payButton.ts', 'src/PayButton.ts', 'docs/my_guide.md']) {
      expect(findings(path)[0]?.message).toContain('kebab-case');
    }
  });

  it('accepts kebab-case, its endings, and the names that custom fixes', () => {
    for (const path of [
      'src/pay-button.styles.ts',
      'src/utils/pay.node.test.ts',
      'README.md',
      'packages/widget/LICENSE',
      '.oxlintrc.json',
      'docs/decisions/0001-node-from-npm.md',
    ]) {
      expect(findings(path)).toEqual([]);
    }
  });
});
