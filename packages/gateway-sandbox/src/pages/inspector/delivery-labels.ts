import type { DeliveryState } from '../../domain/webhooks/delivery.ts';
import type { Language } from '../language.ts';

/** The texts of the deliveries' panel, in one language. */
interface DeliveryLabels {
  readonly title: string;
  readonly none: string;
  readonly noWebhooks: string;
  readonly to: string;
  readonly attempts: string;
  readonly actions: string;
  readonly hold: string;
  readonly release: string;
  readonly releaseOne: string;
  readonly replay: string;
  readonly noAddress: string;
  readonly states: Readonly<Record<DeliveryState, string>>;
}

const en: DeliveryLabels = {
  title: 'Webhook deliveries',
  none: 'Nothing has been sent yet.',
  noWebhooks: 'No webhook is registered; the merchant dashboard and the API create them.',
  to: 'To',
  attempts: 'Attempts',
  actions: 'Actions',
  hold: 'Hold new ones back',
  release: 'Release all',
  releaseOne: 'Release',
  replay: 'Send again',
  noAddress: 'The webhook was deleted before it got anything, so there is no address to send to.',
  states: {
    waiting: 'Waiting',
    held: 'Held back',
    sending: 'Sending',
    delivered: 'Acknowledged',
    failed: 'Given up',
    dropped: 'Lost by a fault',
    cancelled: 'Cancelled',
  },
};

const ar: DeliveryLabels = {
  title: 'تسليم الإشعارات (webhooks)',
  none: 'لم يُرسل شيء بعد.',
  noWebhooks: 'لا يوجد عنوان إشعارات مسجل؛ يمكن إنشاؤه من لوحة التاجر أو عبر الواجهة البرمجية.',
  to: 'إلى',
  attempts: 'المحاولات',
  actions: 'الإجراءات',
  hold: 'احتجاز الجديد منها',
  release: 'إطلاق الكل',
  releaseOne: 'إطلاق',
  replay: 'إعادة الإرسال',
  noAddress: 'حُذف عنوان الإشعارات قبل أن يصله شيء، فلا يوجد عنوان للإرسال إليه.',
  states: {
    waiting: 'بالانتظار',
    held: 'محتجز',
    sending: 'قيد الإرسال',
    delivered: 'تم التسليم',
    failed: 'تعذّر التسليم',
    dropped: 'فُقد بسبب عطل',
    cancelled: 'ملغى',
  },
};

export const deliveryLabels: Readonly<Record<Language, DeliveryLabels>> = { en, ar };
