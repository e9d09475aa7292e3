/**
 * The mark of a payment method on a white card of 34 by 22: the company's name, which is the same in every
 * language, and filled outlines in the order of painting. Letters are outlines too: fonts differ.
 */
type MethodMark = readonly [
  name: string,
  ...shapes: readonly (readonly [color: string, path: string])[],
];

/**
 * The marks by the names of `<pay-button methods>`. The element and the sandbox's hosted
 * page have a copy each, since packages share no code; `contract/method-marks.test.ts` compares them.
 */
export const methodMarks: ReadonlyMap<string, MethodMark> = new Map(
  Object.entries<MethodMark>({
    mada: [
      'mada',
      ['#84b740', 'M3 5h4v5H3z'],
      ['#259bd6', 'M3 12h4v5H3z'],
      [
        '#10231c',
        'M9 9v6h1.5v-3.7a.62.62 0 0 1 1.25 0v3.7h1.5v-3.7a.62.62 0 0 1 1.25 0v3.7H16v-3.8c0-2.6-2.6-2.7-3.4-1.3-.6-1.1-1.6-1.1-2.1-.2V9z' +
          'M19.2 9a2.2 3 0 0 0 0 6a2.2 3 0 0 0 0-6m0 1.4a.8 1.6 0 0 1 0 3.2a.8 1.6 0 0 1 0-3.2m.8-1.4v6h1.5V9z' +
          'M24.2 9a2.2 3 0 0 0 0 6a2.2 3 0 0 0 0-6m0 1.4a.8 1.6 0 0 1 0 3.2a.8 1.6 0 0 1 0-3.2m.8-4v8.6h1.5V6.4z' +
          'M29.2 9a2.2 3 0 0 0 0 6a2.2 3 0 0 0 0-6m0 1.4a.8 1.6 0 0 1 0 3.2a.8 1.6 0 0 1 0-3.2m.8-1.4v6h1.5V9z',
      ],
    ],
    visa: [
      'Visa',
      [
        '#1434cb',
        'M4.6 7h2.5l.9 5.2L10.9 7h2.5l-4.7 8H6.2z' +
          'M14.4 7h2.4l-1.5 8h-2.4z' +
          'M23 7.4l-.4 2c-2-.8-3.2-.6-3.2.1 0 1 2.9 1 2.9 3.2 0 2.6-3.4 2.9-5.7 1.9l.4-2.1c2.1 1 3.3.6 3.3 0 0-.9-2.9-1.1-2.9-3.1 0-2.4 3.3-3 5.6-2z' +
          'M26.1 7h2.2l1.7 8h-2.2l-.3-1.3h-2.9l-.6 1.3h-2.4zm.8 2.6l-1.3 2.5h1.8z',
      ],
    ],
    mastercard: [
      'Mastercard',
      ['#eb001b', 'M13.5 4.5a6.5 6.5 0 0 0 0 13 6.5 6.5 0 0 0 0-13'],
      ['#f79e1b', 'M20.5 4.5a6.5 6.5 0 0 0 0 13 6.5 6.5 0 0 0 0-13'],
      ['#ff5f00', 'M17 5.5a6.5 6.5 0 0 0 0 11 6.5 6.5 0 0 0 0-11'],
    ],
    'apple-pay': [
      'Apple Pay',
      [
        '#000',
        'M7.5 8.5c2-1 4-.5 5 1-2 1-1.5 4 .5 4.5-1 3-2.5 3.5-5 2.5-3 1-5-1-5-4.5s2.5-4.5 4.5-3.5M7 8c0-2 1-3.5 3-4 0 2-1 3.5-3 4' +
          'M15 7v8h1.5v-2.8h1.4a2.6 2.6 0 0 0 0-5.2zm1.5 1.4h1.2a1.2 1.2 0 0 1 0 2.5h-1.2z' +
          'M23.2 9a2.2 3 0 0 0 0 6a2.2 3 0 0 0 0-6m0 1.4a.8 1.6 0 0 1 0 3.2a.8 1.6 0 0 1 0-3.2m.8-1.4v6h1.5V9z' +
          'M26.3 9h1.6l1.3 4 1.2-4H32l-2.3 6.6q-.7 1.9-2.6 1.7V16q1 .1 1.3-.9z',
      ],
    ],
  }),
);
