import type { Session, Transaction } from '../../domain/transaction.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { directionOf } from '../language.ts';
import type { Language } from '../language.ts';
import { paymentStateOf } from './payment-state.ts';
import type { PaymentState } from './payment-state.ts';
import { inspectorTexts } from './texts.ts';

type Place = readonly [column: number, row: number];

interface Diagram {
  readonly places: Partial<Record<PaymentState, Place>>;
  readonly steps: readonly (readonly [PaymentState, PaymentState])[];
}

/** A payment on the hosted page (§3): a decline leaves it open. */
const checkout: Diagram = {
  places: {
    open: [0, 0],
    challenge: [1, 0],
    paid: [2, 0],
    'partly-refunded': [3, 0],
    refunded: [4, 0],
    expired: [0, 1],
    declined: [1, 1],
  },
  steps: [
    ['open', 'challenge'],
    ['open', 'expired'],
    ['challenge', 'paid'],
    ['challenge', 'declined'],
    ['declined', 'open'],
    ['paid', 'partly-refunded'],
    ['partly-refunded', 'refunded'],
  ],
};

/** An authorization that is captured or voided later (§3, `auth: "Y"`). */
const authorization: Diagram = {
  places: {
    challenge: [0, 0],
    authorized: [1, 0],
    captured: [2, 0],
    'partly-refunded': [3, 0],
    refunded: [4, 0],
    declined: [0, 1],
    voided: [1, 1],
  },
  steps: [
    ['challenge', 'authorized'],
    ['challenge', 'declined'],
    ['authorized', 'captured'],
    ['authorized', 'voided'],
    ['captured', 'partly-refunded'],
    ['partly-refunded', 'refunded'],
  ],
};

const diagrams = { checkout, authorization } as const;

const box = { width: 130, height: 30, gapX: 24, gapY: 22, margin: 3 } as const;
const size = {
  width: 5 * box.width + 4 * box.gapX + 2 * box.margin,
  height: 2 * box.height + box.gapY + 2 * box.margin,
} as const;

/** The possible states of a payment as a drawing, with its current one lit; mirrored for Arabic. */
export function paymentDiagram(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
  language: Language,
): Html {
  const { diagram, state: current } = paymentStateOf(session, attempts, now);
  const { places, steps } = diagrams[diagram];
  const { payments, paymentStates } = inspectorTexts[language];
  const mirrored = directionOf(language) === 'rtl';
  const nodes = Object.entries(places) as [PaymentState, Place][];
  const lines = steps.flatMap(([from, to]) => {
    const start = places[from];
    const end = places[to];
    return start === undefined || end === undefined ? [] : [line(start, end, mirrored)];
  });
  const label = payments.currentState;
  return html`<div class="scroller" tabindex="0" role="group" aria-label="${label}">
    <svg
      class="states"
      viewBox="0 0 ${size.width} ${size.height}"
      role="img"
      aria-label="${label}: ${paymentStates[current]}"
    >
      ${lines}
      ${nodes.map(([state, place]) => node(paymentStates[state], place, state === current ? state : null, mirrored))}
    </svg>
  </div>`;
}

function node(text: string, place: Place, lit: PaymentState | null, mirrored: boolean): Html {
  const { x, y } = corner(place, mirrored);
  const mark = lit === null ? 'state' : `state state-lit state-${lit}`;
  return html`<g class="${mark}">
    <rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8" />
    <text x="${x + box.width / 2}" y="${y + box.height / 2 + 4.5}">${text}</text>
  </g>`;
}

/** A step to the side, down, or back up to where the payment is open again. */
function line(start: Place, end: Place, mirrored: boolean): Html {
  const from = corner(start, mirrored);
  const to = corner(end, mirrored);
  const middle = box.width / 2;
  const forward = mirrored ? -1 : 1;
  if (start[1] === end[1]) {
    const x1 = from.x + (mirrored ? 0 : box.width);
    const x2 = to.x + (mirrored ? box.width : 0);
    const y = from.y + box.height / 2;
    return arrow(`M${x1} ${y}H${x2}`, x2, y, [forward, 0]);
  }
  if (start[0] === end[0]) {
    const x = from.x + middle;
    return arrow(`M${x} ${from.y + box.height}V${to.y}`, x, to.y, [0, 1]);
  }
  const x1 = from.x + (mirrored ? box.width : 0);
  const between = x1 - (forward * box.gapX) / 2;
  const x2 = to.x + middle + forward * 34;
  const y2 = to.y + box.height;
  const path = `M${x1} ${from.y + box.height / 2}H${between}V${y2 + box.gapY / 2}H${x2}V${y2}`;
  return arrow(path, x2, y2, [0, -1]);
}

function arrow(path: string, x: number, y: number, [dx, dy]: readonly [number, number]): Html {
  const back = 6;
  const side = 3.5;
  const baseX = x - dx * back;
  const baseY = y - dy * back;
  const head = `M${x} ${y}L${baseX + dy * side} ${baseY + dx * side}L${baseX - dy * side} ${baseY - dx * side}Z`;
  return html`<path class="step" d="${path}" /><path class="step-head" d="${head}" />`;
}

function corner([column, row]: Place, mirrored: boolean): { x: number; y: number } {
  const x = box.margin + column * (box.width + box.gapX);
  return {
    x: mirrored ? size.width - x - box.width : x,
    y: box.margin + row * (box.height + box.gapY),
  };
}
