/** A way over the paper: an SVG path, and where its words stand. */
export interface Way {
  readonly path: string;
  readonly words?: readonly [x: number, y: number];
}

/** The size of the paper. */
export const paper = { width: 720, height: 545 };

/** The size of a state. */
export const box = { width: 150, height: 38 };

/** Where the group stands, by its name. */
export const groupPlaces: Readonly<
  Record<string, { readonly x: number; readonly y: number; width: number; height: number }>
> = {
  open: { x: 8, y: 8, width: 704, height: 232 },
};

/** The middle of each state. */
export const places: Readonly<Record<string, readonly [x: number, y: number]>> = {
  unpaid: [96, 84],
  pending: [350, 84],
  failed: [620, 84],
  expired: [350, 204],
  paid: [96, 328],
  authorized: [272, 328],
  review: [448, 328],
  paid_late: [624, 328],
  partially_refunded: [96, 426],
  captured: [272, 426],
  voided: [448, 426],
  refunded: [272, 514],
};

/** The way of each step, so that a reader meets no line twice. */
export const ways: Readonly<Record<string, Way>> = {
  '[*] --> unpaid': { path: 'M96 38V61' },
  'unpaid --> pending': { path: 'M171 84H271', words: [222, 74] },
  'unpaid --> failed': { path: 'M96 65C140 10 560 10 614 61', words: [350, 30] },
  'pending --> failed': { path: 'M425 78H541', words: [484, 68] },
  'failed --> pending': { path: 'M545 94H429', words: [484, 111] },
  'pending --> expired': { path: 'M336 103V181', words: [242, 146] },
  'expired --> pending': { path: 'M368 185V107', words: [408, 146] },
  'failed --> expired': { path: 'M612 103C600 160 530 192 429 200', words: [500, 152] },
  'expired --> failed': { path: 'M425 212C540 210 620 170 632 107', words: [590, 205] },
  'open --> paid': { path: 'M96 240V305', words: [96, 272] },
  'open --> authorized': { path: 'M272 240V305', words: [272, 272] },
  'open --> review': { path: 'M434 240V305', words: [448, 262] },
  'review --> open': { path: 'M462 309V244', words: [448, 286] },
  'open --> paid_late': { path: 'M624 240V305', words: [624, 272] },
  'review --> authorized': { path: 'M373 328H351' },
  'paid --> partially_refunded': { path: 'M80 347V403', words: [80, 378] },
  'paid --> refunded': { path: 'M124 347C190 400 160 450 232 493' },
  'authorized --> captured': { path: 'M272 347V403' },
  'authorized --> voided': { path: 'M316 347L398 404' },
  'paid_late --> voided': { path: 'M580 347L498 404' },
  'paid_late --> refunded': { path: 'M636 347C640 470 540 514 351 514', words: [560, 486] },
  'captured --> partially_refunded': { path: 'M197 426H175' },
  'captured --> refunded': { path: 'M272 445V491' },
  'partially_refunded --> refunded': { path: 'M96 445C104 490 140 514 193 514' },
};
