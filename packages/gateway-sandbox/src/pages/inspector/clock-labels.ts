import type { Language } from '../language.ts';

/** How far the clock's buttons move it. */
export const clockLeaps = ['PT1M', 'PT10M', 'PT1H', 'PT48H'] as const;

interface ClockLabels {
  readonly freeze: string;
  readonly resume: string;
  readonly leaps: Readonly<Record<(typeof clockLeaps)[number], string>>;
}

const en: ClockLabels = {
  freeze: 'Stop the clock',
  resume: 'Let it run',
  leaps: { PT1M: '1 min', PT10M: '10 min', PT1H: '1 h', PT48H: '48 h' },
};

const ar: ClockLabels = {
  freeze: 'إيقاف الساعة',
  resume: 'تشغيل الساعة',
  leaps: { PT1M: 'دقيقة', PT10M: '10 دقائق', PT1H: 'ساعة', PT48H: '48 ساعة' },
};

export const clockLabels: Readonly<Record<Language, ClockLabels>> = { en, ar };
