import { describe, it } from 'vitest';
import { casesBelowAPath } from '../../test-support/below-a-path.ts';
import { startNginx } from '../../test-support/nginx.ts';

describe('a shop below a path, behind nginx', () => {
  it.each(casesBelowAPath(startNginx))('%s', (_name, holds) => holds());
});
