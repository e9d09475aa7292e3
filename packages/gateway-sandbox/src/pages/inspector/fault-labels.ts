import type { Language } from '../language.ts';

/** The texts of the faults' panel, in one language. */
interface FaultLabels {
  readonly title: string;
  readonly none: string;
  readonly profile: string;
  readonly setProfile: string;
  readonly clear: string;
  readonly always: string;
  readonly add: string;
  readonly operation: string;
  readonly every: string;
  readonly place: string;
  readonly kind: string;
  readonly count: string;
}

const en: FaultLabels = {
  title: 'Faults',
  none: 'Every call is answered as it should be.',
  profile: 'Profile',
  setProfile: 'Set profile',
  clear: 'Lift all faults',
  always: 'until lifted',
  add: 'Add a fault',
  operation: 'Operation',
  every: 'every operation',
  place: 'Place',
  kind: 'Kind',
  count: 'How often',
};

const ar: FaultLabels = {
  title: 'الأعطال المفتعلة',
  none: 'تُجاب كل الطلبات كما ينبغي.',
  profile: 'نمط الأعطال',
  setProfile: 'تطبيق النمط',
  clear: 'رفع جميع الأعطال',
  always: 'حتى يُرفع',
  add: 'إضافة عطل',
  operation: 'نوع الطلب',
  every: 'كل الطلبات',
  place: 'الموضع',
  kind: 'النوع',
  count: 'عدد المرات',
};

export const faultLabels: Readonly<Record<Language, FaultLabels>> = { en, ar };
