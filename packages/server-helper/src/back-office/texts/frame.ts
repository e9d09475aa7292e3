import { byLanguage } from './by-language.ts';

/** The texts around every page. */
export const frameTexts = byLanguage({
  product: ['Payments', 'المدفوعات'],
  skip: ['Skip to content', 'انتقل إلى المحتوى'],
  navigation: ['Payments', 'المدفوعات'],
  sections: {
    overview: ['Overview', 'نظرة عامة'],
    orders: ['Orders', 'الطلبات'],
    review: ['Review', 'المراجعة'],
    gateway: ['Gateway', 'بوابة الدفع'],
  },
  waiting: (count: string) => [`${count} waiting`, `${count} بانتظار المراجعة`],
  signedInAs: ['Signed in as', 'المستخدم'],
  otherLanguage: ['العربية', 'English'],
  times: ['Times in', 'الأوقات بتوقيت'],
  environments: {
    staging: ['Test environment', 'بيئة تجريبية'],
    production: ['Live', 'بيئة فعلية'],
  },
  error: ['Error', 'خطأ'],
  copy: ['Copy', 'نسخ'],
  copied: ['Copied', 'نُسخ'],
});
