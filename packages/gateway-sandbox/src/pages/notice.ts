import { framed } from './frame.ts';
import { html } from './html.ts';
import type { Language } from './language.ts';
import { hostedLabels } from './hosted/labels.ts';
import type { Page } from './send-page.ts';

export type NoticeKind = 'unknown-session' | 'expired' | 'already-paid' | 'waiting-for-bank';

interface NoticeText {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

const texts: Readonly<Record<Language, Readonly<Record<NoticeKind, NoticeText>>>> = {
  en: {
    'unknown-session': {
      title: 'We do not know this payment page',
      text: 'Check that the address is complete. If you came from a shop, go back there and start the payment again.',
      link: '',
    },
    expired: {
      title: 'This payment page has expired',
      text: 'Nothing was charged. Return to the shop and start the payment again.',
      link: 'Return to the shop',
    },
    'already-paid': {
      title: 'This order is already paid',
      text: 'The payment went through once. Nothing more was charged.',
      link: 'Continue to the shop',
    },
    'waiting-for-bank': {
      title: 'Waiting for your bank',
      text: 'Your bank has not confirmed the payment yet. You can return to the shop; it will learn the result.',
      link: 'Return to the shop',
    },
  },
  ar: {
    'unknown-session': {
      title: 'صفحة الدفع هذه غير معروفة',
      text: 'تأكد من اكتمال الرابط. إذا وصلت من متجر، فارجع إليه وابدأ الدفع من جديد.',
      link: '',
    },
    expired: {
      title: 'انتهت صلاحية صفحة الدفع',
      text: 'لم يُخصم أي مبلغ. ارجع إلى المتجر وابدأ الدفع من جديد.',
      link: 'العودة إلى المتجر',
    },
    'already-paid': {
      title: 'هذا الطلب مدفوع مسبقًا',
      text: 'تمت عملية الدفع مرة واحدة، ولم يُخصم أي مبلغ إضافي.',
      link: 'المتابعة إلى المتجر',
    },
    'waiting-for-bank': {
      title: 'في انتظار رد البنك',
      text: 'لم يؤكد البنك عملية الدفع بعد. يمكنك العودة إلى المتجر، وستظهر لك النتيجة هناك.',
      link: 'العودة إلى المتجر',
    },
  },
};

const icons: Readonly<Record<NoticeKind, string>> = {
  'unknown-session': 'M14 8.5v7M14 19.2v.1',
  expired: 'M14 8v6.4l4 2.4',
  'already-paid': 'm9 14.3 3.4 3.4L19.2 11',
  'waiting-for-bank': 'M14 8v6.4l4 2.4',
};

interface NoticeParts {
  readonly language: Language;
  readonly kind: NoticeKind;
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Where the shopper goes from here; null when nobody knows. */
  readonly link: string | null;
}

/** A page that only says where things stand, and leads on. */
export function noticePage({ language, kind, path, parameters, link }: NoticeParts): Page {
  const notice = texts[language][kind];
  const labels = hostedLabels[language];
  const main = html`<main class="notice" data-test="notice-${kind}">
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
    <h1>${notice.title}</h1>
    <p>${notice.text}</p>
    ${link !== null && html`<a class="notice-link" href="${link}" data-test="back-to-shop">${notice.link}</a>`}
  </main>`;
  return {
    language,
    title: notice.title,
    body: framed({
      language,
      strip: labels.strip,
      languages: labels.languages,
      path,
      parameters,
      main,
    }),
  };
}
