import { testShopBelowAPath } from '../../test-support/below-a-path.ts';
import { startNginx } from '../../test-support/nginx.ts';

testShopBelowAPath('the nginx of Debian', startNginx);
