import { it } from 'vitest';
import { casesBelowAPath } from '../../test-support/below-a-path.ts';
import { startNginx } from '../../test-support/nginx.ts';

it.each(casesBelowAPath(startNginx))(
  'a shop below a path behind the nginx of Debian: %s',
  (_name, holds) => holds(),
);
