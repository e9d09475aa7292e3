import { useBrowser } from '../../../../scripts/use-browser.ts';
import { testEveryPage } from '../testing/every-page-for-test.ts';

testEveryPage(useBrowser(), { lang: 'ar', colorScheme: 'dark', widths: [1280, 320] });
