import { describe, it } from 'vitest';
import { casesBelowAPath } from '../../test-support/below-a-path.ts';
import { startNginx } from '../../test-support/nginx.ts';

describe('a shop below a path', () => {
  it.each(casesBelowAPath(startNginx))('behind the nginx of Debian: %s', (_name, holds) => holds());
});
