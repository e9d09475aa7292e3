import type { Visit } from '../../visit-log.ts';
import type { Language } from '../language.ts';
import type { Lane } from './timeline.ts';

interface TimelineLabels {
  readonly lanes: Readonly<Record<Lane, string>>;
  readonly visits: Readonly<Record<Visit['kind'], string>>;
  readonly lost: string;
}

const en: TimelineLabels = {
  lanes: {
    browser: 'Browser',
    merchant: 'Merchant',
    gateway: 'Gateway',
    webhook: 'Webhook',
    clock: 'Clock',
  },
  visits: {
    'page-opened': 'Opened the payment page',
    'payment-sent': 'Pressed Pay',
    'challenge-shown': 'Opened 3-D Secure',
    'challenge-answered': 'Answered 3-D Secure',
    'sent-to-shop': 'Sent back to the shop',
  },
  lost: 'no answer',
};

const ar: TimelineLabels = {
  lanes: {
    browser: 'المتصفح',
    merchant: 'التاجر',
    gateway: 'البوابة',
    webhook: 'الإشعارات',
    clock: 'الساعة',
  },
  visits: {
    'page-opened': 'فتح صفحة الدفع',
    'payment-sent': 'ضغط زر الدفع',
    'challenge-shown': 'فتح صفحة التحقق الآمن',
    'challenge-answered': 'أجاب على التحقق الآمن',
    'sent-to-shop': 'أُعيد إلى المتجر',
  },
  lost: 'دون رد',
};

export const timelineLabels: Readonly<Record<Language, TimelineLabels>> = { en, ar };
