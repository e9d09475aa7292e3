import '../supported-node.js';
import { encodeQR } from 'qr';
import { escapeHtml } from './text.ts';

/** What a QR code needs beside its address. */
export interface QrOptions {
  /** Its name for a screen reader, in the page's language, such as `"QR code: pay order 1001"`. */
  readonly label: string;
}

/** Modules of white around a code (ISO/IEC 18004); a reader finds no code without them. */
const MARGIN = 4;

/**
 * Writes an address as a QR code: an SVG of the width of its place, black on white in every colour
 * scheme and in print, without scripts and styles.
 *
 * Needs the package `qr`, an optional peer: `npm install qr`.
 *
 * @param address - Such as `payments.payLink(orderId)`; up to 2,331 bytes.
 * @throws TypeError for what is no http(s) address, and for an empty label.
 * @example
 * const svg = qrSvg(payments.payLink('1001'), { label: 'QR code: pay order 1001' });
 */
export function qrSvg(address: string, { label }: QrOptions): string {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new TypeError('qrSvg needs an http(s) address, such as payments.payLink(orderId).');
  }
  if (typeof label !== 'string' || label.trim() === '') {
    throw new TypeError('qrSvg needs a label: the code’s name for a screen reader.');
  }
  const rows = encodeQR(address, 'raw', { ecc: 'medium', border: MARGIN });
  const size = rows.length;
  // The black modules of a row, each run of them as one rectangle.
  const runs = rows.flatMap((row, top) => {
    const text = row.map((isBlack) => (isBlack ? '1' : '0')).join('');
    const found = [...text.matchAll(/1+/g)];
    return found.map(({ index, 0: { length } }) => `M${index} ${top}h${length}v1h-${length}z`);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`;
}
