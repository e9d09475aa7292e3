import { byLanguage, html } from '../html.ts';
import type { Language } from '../html.ts';
import type { Page } from '../page.ts';

const nothingCharged = [
  'Nothing was charged. Return to the shop and start the payment again.',
  'لم يُخصم أي مبلغ. ارجع إلى المتجر وابدأ الدفع من جديد.',
] as const;

const texts = byLanguage({
  toShop: ['Return to the shop', 'العودة إلى المتجر'],
  onToShop: ['Continue to the shop', 'المتابعة إلى المتجر'],
  titles: {
    'unknown-session': ['We do not know this payment page', 'صفحة الدفع هذه غير معروفة'],
    expired: ['This payment page has expired', 'انتهت صلاحية صفحة الدفع'],
    closed: ['This payment did not go through', 'لم تتم عملية الدفع'],
    'already-paid': ['This order is already paid', 'هذا الطلب مدفوع مسبقًا'],
    'waiting-for-bank': ['Waiting for your bank', 'في انتظار رد البنك'],
  },
  reasons: {
    'unknown-session': [
      'Check that the address is complete. If you came from a shop, go back there and start the payment again.',
      'تأكد من اكتمال الرابط. إذا وصلت من متجر، فارجع إليه وابدأ الدفع من جديد.',
    ],
    expired: nothingCharged,
    closed: nothingCharged,
    'already-paid': [
      'The payment went through once. Nothing more was charged.',
      'تمت عملية الدفع مرة واحدة، ولم يُخصم أي مبلغ إضافي.',
    ],
    'waiting-for-bank': [
      'Your bank has not confirmed the payment yet. You can return to the shop, which will receive the result.',
      'لم يؤكد البنك عملية الدفع بعد. يمكنك العودة إلى المتجر، وستظهر لك النتيجة هناك.',
    ],
  },
});

export type NoticeKind = keyof (typeof texts)['en']['titles'];

const exclamation = 'M14 8.5v7M14 19.2v.1';
const clock = 'M14 8v6.4l4 2.4';
const icons: Readonly<Record<NoticeKind, string>> = {
  'unknown-session': exclamation,
  expired: clock,
  closed: exclamation,
  'already-paid': 'm9 14.3 3.4 3.4L19.2 11',
  'waiting-for-bank': clock,
};

interface NoticeParts {
  readonly language: Language;
  readonly kind: NoticeKind;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Where the shopper goes from here; null when the sandbox does not know a shop. */
  readonly link: string | null;
}

/** A page that only reports the payment's state and leads on. */
export function noticePage({ language, kind, path, parameters, link }: NoticeParts): Page {
  const { titles, reasons, toShop, onToShop } = texts[language];
  const title = titles[kind];
  const main = html`<main class="panel notice" data-test="notice-${kind}">
    <svg
      class="notice-icon notice-icon-${kind}"
      viewBox="0 0 28 28"
      width="64"
      height="64"
      aria-hidden="true"
    >
      <circle cx="14" cy="14" r="12.5" />
      <path d="${icons[kind]}" />
    </svg>
    <h1>${title}</h1>
    <p>${reasons[kind]}</p>
    ${link !== null && html`<a class="button button-main button-large" href="${link}" data-test="back-to-shop">${kind === 'already-paid' ? onToShop : toShop}</a>`}
  </main>`;
  return { language, title, main, path, parameters };
}
