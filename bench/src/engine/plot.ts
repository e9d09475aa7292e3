import type { ClaimCost } from './claims.ts';
import { sizes } from './claims.ts';
import { storeNames, type StoreName } from './names.ts';

const colours: Readonly<Record<StoreName, string>> = { PostgreSQL: '#2b6cb0', SQLite: '#c05621' };
const [width, height, margin] = [640, 360, 64];

/** The cost of a claim against the number of payments, with its quarters, as an SVG picture. */
export function plotClaims(costs: readonly ClaimCost[]): string {
  const top = niceTop(Math.max(...costs.map(({ upper }) => upper)));
  const first = Math.log10(sizes[0]);
  const last = Math.log10(sizes.at(-1) ?? sizes[0]);
  const x = (payments: number): number =>
    margin + ((Math.log10(payments) - first) / (last - first)) * (width - 2 * margin);
  const y = (cost: number): number => height - margin - (cost / top) * (height - 2 * margin);
  const lines = storeNames.flatMap((storeName, index) => {
    const own = costs.filter((cost) => cost.storeName === storeName);
    const points = own.map((cost) => `${x(cost.payments)},${y(cost.median).toFixed(1)}`);
    const colour = colours[storeName];
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...own.flatMap((cost) => mark(cost, colour, x, y)),
      `<text x="${margin + 12}" y="${margin + 4 + 20 * index}" fill="${colour}">${storeName}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="14">`,
    '<title>What claiming five due payments takes, in microseconds, against how many payments there are</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...[0, 0.5, 1].flatMap((share) => gridLine(share * top, y)),
    ...sizes.map(
      (size) =>
        `<text x="${x(size)}" y="${height - margin + 24}" text-anchor="middle" fill="#444444">${size.toLocaleString('en')}</text>`,
    ),
    `<text x="${width / 2}" y="${height - 12}" text-anchor="middle" fill="#444444">payments in the tables</text>`,
    `<text x="${margin}" y="28" fill="#444444">µs a claim: median, and the middle half</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

type Scale = (value: number) => number;

function mark({ payments, median, lower, upper }: ClaimCost, colour: string, x: Scale, y: Scale) {
  const at = x(payments);
  return [
    `<line x1="${at}" x2="${at}" y1="${y(lower).toFixed(1)}" y2="${y(upper).toFixed(1)}" stroke="${colour}" stroke-width="2"/>`,
    `<circle cx="${at}" cy="${y(median).toFixed(1)}" r="4" fill="${colour}"/>`,
  ];
}

function gridLine(cost: number, y: Scale): readonly string[] {
  const at = y(cost).toFixed(1);
  return [
    `<line x1="${margin}" x2="${width - margin}" y1="${at}" y2="${at}" stroke="#dddddd"/>`,
    `<text x="${margin - 8}" y="${Number(at) + 5}" text-anchor="end" fill="#444444">${cost.toFixed(0)}</text>`,
  ];
}

/** The next number of one digit and zeros, even, so that its half is a whole one. */
function niceTop(value: number): number {
  const step = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(value / step / 2) * 2 * step;
}
