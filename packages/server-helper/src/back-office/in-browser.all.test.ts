import { testOfficePages, useOfficePages } from '../../test-support/office-pages.ts';

testOfficePages(useOfficePages(), [
  { locale: 'ar', colorScheme: 'dark', axeAt: 320 },
  { locale: 'en', colorScheme: 'dark', axeAt: null },
  { locale: 'ar', colorScheme: 'light', axeAt: null },
]);
