import type { Behaviour } from '../../fidelity.ts';
import type { Language } from '../language.ts';

interface FidelityLabels {
  readonly title: string;
  readonly intro: string;
  readonly inspector: string;
  readonly tiers: string;
  readonly all: string;
  readonly tierNames: Readonly<Record<'spec' | 'contradiction' | 'analogue' | 'assumed', string>>;
  readonly kinds: Readonly<Record<Behaviour['kind'], string>>;
  readonly instead: string;
}

const en: FidelityLabels = {
  title: 'Fidelity',
  intro:
    'How firmly each behaviour of the sandbox is known, the reading taken where the specification is silent, and the tests that hold the sandbox to it.',
  inspector: 'Inspector',
  tiers: 'How firmly it is known',
  all: 'in all',
  tierNames: {
    spec: 'stated',
    contradiction: 'stated twice, differently',
    analogue: 'as sibling gateways do',
    assumed: 'assumed',
  },
  kinds: {
    operation: 'Operations',
    error: 'Errors',
    transition: 'Transitions',
    field: 'Fields',
  },
  instead: 'It could also be:',
};

const ar: FidelityLabels = {
  title: 'مدى المطابقة',
  intro:
    'مدى ثبوت كل سلوك في البيئة التجريبية، والقراءة المعتمدة حيث تسكت المواصفة، والاختبارات التي تضمن ذلك.',
  inspector: 'لوحة المراقبة',
  tiers: 'درجة الثبوت',
  all: 'الكل',
  tierNames: {
    spec: 'منصوص عليه',
    contradiction: 'منصوص عليه بصورتين',
    analogue: 'قياسًا على بوابات مشابهة',
    assumed: 'مفترض',
  },
  kinds: {
    operation: 'العمليات',
    error: 'الأخطاء',
    transition: 'الانتقالات',
    field: 'الحقول',
  },
  instead: 'It could also be:',
};

export const fidelityLabels: Readonly<Record<Language, FidelityLabels>> = { en, ar };
