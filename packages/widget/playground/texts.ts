/** The playground's own texts, in both languages. */
export const texts = {
  en: {
    playground: 'playground',
    button: 'The button',
    answer: 'The shop answers with',
    html: 'HTML',
    css: 'CSS',
    copyHtml: 'Copy HTML',
    copyCss: 'Copy CSS',
    copied: 'Copied',
    events: 'Events',
    attributes: 'Attributes',
    theme: 'Theme',
    states: 'Every state',
    language: 'العربية',
    dark: 'Dark',
    light: 'Light',
  },
  ar: {
    playground: 'ساحة التجربة',
    button: 'الزر',
    answer: 'يرد المتجر بـ',
    html: 'HTML',
    css: 'CSS',
    copyHtml: 'نسخ HTML',
    copyCss: 'نسخ CSS',
    copied: 'تم النسخ',
    events: 'الأحداث',
    attributes: 'الخصائص',
    theme: 'المظهر',
    states: 'كل الحالات',
    language: 'English',
    dark: 'داكن',
    light: 'فاتح',
  },
} as const;

export type Language = keyof typeof texts;

/** The shop's answers by their names in the backend. */
export const answers: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  link: { en: 'a payment link', ar: 'رابط دفع' },
  slow: { en: 'a payment link, slowly', ar: 'رابط دفع ببطء' },
  stays: { en: 'a link that the browser swallows', ar: 'رابط لا يفتحه المتصفح' },
  paid: { en: '409: already paid', ar: '409: الطلب مدفوع' },
  refused: { en: '502: the gateway refused', ar: '502: رفضت البوابة الطلب' },
  silent: { en: '502: the gateway is silent', ar: '502: البوابة لا ترد' },
  html: { en: '500 in HTML', ar: '500 بصيغة HTML' },
  reset: { en: 'a cut connection', ar: 'انقطاع الاتصال' },
  hangs: { en: 'nothing at all', ar: 'لا شيء' },
  hostile: { en: 'a hostile address', ar: 'عنوان خبيث' },
};
