import { byLanguage } from './by-language.ts';

/** Why a page cannot be shown, or a thing not be done: a heading and what it means. */
export const problemTexts = byLanguage({
  back: ['Back', 'رجوع'],
  unauthorized: {
    title: ['Sign in first', 'سجّل الدخول أولًا'],
    text: ['These pages are for the people of the shop.', 'هذه الصفحات لموظفي المتجر.'],
  },
  not_found: {
    title: ['There is nothing at this address', 'لا توجد صفحة بهذا العنوان'],
    text: [
      'The address may be incomplete, or the order has no payment.',
      'ربما كان العنوان ناقصًا، أو لا توجد دفعة لهذا الطلب.',
    ],
  },
  method_not_allowed: {
    title: ['This address takes no such request', 'هذا العنوان لا يقبل هذا الطلب'],
    text: ['Open the page again and use its form.', 'افتح الصفحة من جديد واستخدم النموذج فيها.'],
  },
  forbidden: {
    title: ['You may not do this', 'لا تملك صلاحية لهذا الإجراء'],
    text: [
      'Nothing was done. Ask the person who manages access to the shop.',
      'لم يُنفَّذ شيء. تواصل مع المسؤول عن صلاحيات المتجر.',
    ],
  },
  foreign_form: {
    title: ['The form did not come from these pages', 'لم يأتِ النموذج من هذه الصفحات'],
    text: [
      'Nothing was done. Open the page again and repeat it there.',
      'لم يُنفَّذ شيء. افتح الصفحة من جديد وأعد المحاولة منها.',
    ],
  },
  stale_form: {
    title: ['The page was open for too long', 'بقيت الصفحة مفتوحة مدة طويلة'],
    text: [
      'Nothing was done. Open the page again: its form is fresh then.',
      'لم يُنفَّذ شيء. افتح الصفحة من جديد لتحصل على نموذج صالح.',
    ],
  },
  bad_form: {
    title: ['The form could not be read', 'تعذّرت قراءة النموذج'],
    text: [
      'Nothing was done. Open the page again and repeat it there.',
      'لم يُنفَّذ شيء. افتح الصفحة من جديد وأعد المحاولة منها.',
    ],
  },
  not_possible: {
    title: ['This is not possible now', 'هذا الإجراء غير ممكن الآن'],
    text: [
      'Nothing was done. The payment has changed since the page was shown.',
      'لم يُنفَّذ شيء. تغيّرت الدفعة بعد عرض الصفحة.',
    ],
  },
  refused: {
    title: ['It was not done', 'لم يُنفَّذ الإجراء'],
    text: ['Nothing was sent to the gateway.', 'لم يُرسل شيء إلى البوابة.'],
  },
  gateway_failed: {
    title: ['The gateway did not do it', 'لم تنفّذ البوابة الإجراء'],
    text: ['No money moved.', 'لم تتم أي حركة مالية.'],
  },
  outcome_unknown: {
    title: ['It may have happened', 'ربما نُفّذ الإجراء'],
    text: [
      'The answer is not recorded. Look at the order before you do anything else; sending this same form again is safe.',
      'لم يُسجَّل الرد. راجع الطلب قبل أي إجراء آخر، ويمكنك إرسال النموذج نفسه مرة أخرى بأمان.',
    ],
  },
  bad_query: {
    title: ['The search could not be read', 'تعذّرت قراءة البحث'],
    text: ['Start again from the list of orders.', 'ابدأ من جديد من قائمة الطلبات.'],
  },
  store_unavailable: {
    title: ['The payments cannot be read right now', 'تعذّرت قراءة المدفوعات الآن'],
    text: [
      'The shop’s database does not answer. Nothing is lost; try again in a moment.',
      'قاعدة بيانات المتجر لا تستجيب. لم يُفقد شيء؛ حاول مرة أخرى بعد قليل.',
    ],
  },
  failed: {
    title: ['Something went wrong', 'حدث خطأ'],
    text: [
      'The shop’s log has the details. Look at the order before you repeat anything.',
      'التفاصيل في سجل المتجر. راجع الطلب قبل تكرار أي إجراء.',
    ],
  },
});

/** The names of the problems. */
export type ProblemName = Exclude<keyof (typeof problemTexts)['en'], 'back'>;
