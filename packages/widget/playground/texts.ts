/** The playground's own texts, English first. */
export const texts = {
  playground: ['playground', 'ساحة التجربة'],
  button: ['The button', 'الزر'],
  answer: ['The shop answers with', 'يرد المتجر بـ'],
  html: ['HTML', 'HTML'],
  css: ['CSS', 'CSS'],
  copyHtml: ['Copy HTML', 'نسخ HTML'],
  copyCss: ['Copy CSS', 'نسخ CSS'],
  copied: ['Copied', 'تم النسخ'],
  events: ['Events', 'الأحداث'],
  attributes: ['Attributes', 'الخصائص'],
  theme: ['Theme', 'المظهر'],
  states: ['Every state', 'كل الحالات'],
  language: ['العربية', 'English'],
} as const;

/** The shop's answers by their names in the backend. */
export const answers: Readonly<Record<string, readonly [string, string]>> = {
  link: ['a payment link', 'رابط دفع'],
  slow: ['a payment link, slowly', 'رابط دفع ببطء'],
  stays: ['a link that the browser swallows', 'رابط لا يفتحه المتصفح'],
  paid: ['409: already paid', '409: الطلب مدفوع'],
  refused: ['502: the gateway refused', '502: رفضت البوابة الطلب'],
  silent: ['502: the gateway is silent', '502: البوابة لا ترد'],
  html: ['500 in HTML', '500 بصيغة HTML'],
  reset: ['a cut connection', 'انقطاع الاتصال'],
  hangs: ['nothing at all', 'لا شيء'],
  hostile: ['a hostile address', 'عنوان خبيث'],
};
