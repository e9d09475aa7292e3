import type { Language } from '../language.ts';

/** A state that a payment can be in, as the diagrams name it. */
export type PaymentState =
  | 'open'
  | 'challenge'
  | 'paid'
  | 'declined'
  | 'expired'
  | 'authorized'
  | 'captured'
  | 'voided'
  | 'partly-refunded'
  | 'refunded';

interface StateLabels {
  readonly diagram: string;
  readonly states: Readonly<Record<PaymentState, string>>;
}

const en: StateLabels = {
  diagram: 'Current state',
  states: {
    open: 'Open',
    challenge: '3-D Secure',
    paid: 'Paid',
    declined: 'Declined',
    expired: 'Expired',
    authorized: 'Authorized',
    captured: 'Captured',
    voided: 'Voided',
    'partly-refunded': 'Partly refunded',
    refunded: 'Refunded',
  },
};

const ar: StateLabels = {
  diagram: 'الحالة الحالية',
  states: {
    open: 'بانتظار الدفع',
    challenge: 'التحقق الآمن',
    paid: 'مدفوعة',
    declined: 'مرفوضة',
    expired: 'منتهية الصلاحية',
    authorized: 'مبلغ محجوز',
    captured: 'تم التحصيل',
    voided: 'أُلغي الحجز',
    'partly-refunded': 'مستردة جزئيًا',
    refunded: 'مستردة بالكامل',
  },
};

export const stateLabels: Readonly<Record<Language, StateLabels>> = { en, ar };
