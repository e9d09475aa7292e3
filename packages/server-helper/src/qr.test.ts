import jsqr from 'jsqr';
import { describe, expect, it } from 'vitest';
import { startShop } from '../test-support/shop-of-test.ts';
import { qrSvg } from './qr.ts';

/** A module's side in pixels. */
const SCALE = 4;

/** A picture as a camera takes it: the SVG's rectangles, painted one after the other. */
function painted(svg: string): { readonly pixels: Uint8ClampedArray; readonly side: number } {
  const [, width = ''] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? [];
  const side = Number(width) * SCALE;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(127);
  for (const [, colour, path = ''] of svg.matchAll(/<path fill="#(000|fff)" d="([^"]+)"/g)) {
    for (const [, left, top, long, high] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)[^M]+z/g)) {
      const [x0, y0, across, down] = [left, top, long, high].map((part) => Number(part) * SCALE);
      for (let y = y0 ?? 0; y < (y0 ?? 0) + (down ?? 0); y += 1) {
        const row = (y * side + (x0 ?? 0)) * 4;
        pixels.fill(colour === '000' ? 0 : 255, row, row + (across ?? 0) * 4);
      }
    }
  }
  return { pixels, side };
}

function read(svg: string): string | undefined {
  const { pixels, side } = painted(svg);
  return jsqr.default(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data;
}

describe('a QR code', () => {
  it('is read back as the order’s address, which leads to the hosted page', async () => {
    const shop = await startShop();
    const address = shop.payments.payLink('1001');
    const found = read(qrSvg(address, { label: 'Pay order 1001' }));
    expect(found).toBe(address);
    const { status, headers } = await shop.send(new URL(found ?? '').pathname);
    const location = expect.stringContaining('/checkout?sessionId=');
    expect([status, headers]).toMatchObject([303, { location }]);
  });

  it('of an address in Arabic, and of a very long one, is read back too', () => {
    const long = `https://shop.example/${'x'.repeat(900)}`;
    for (const address of ['https://متجر.example/pay/link/x', long]) {
      expect(read(qrSvg(address, { label: 'Pay' }))).toBe(address);
    }
  });

  it('has four modules of white around it', () => {
    const { pixels, side } = painted(qrSvg('https://shop.example/', { label: 'Pay' }));
    const blackAt = [];
    for (let at = 0; at < pixels.length; at += 4) {
      if (pixels[at] !== 0) continue;
      const [x, y] = [(at / 4) % side, Math.floor(at / 4 / side)];
      blackAt.push(Math.min(x, y, side - 1 - x, side - 1 - y));
    }
    expect(Math.min(...blackAt)).toBe(4 * SCALE);
  });

  it('has its label as its name, whatever stands in it, and neither scripts nor styles', () => {
    const svg = qrSvg('https://shop.example/', { label: '"><script>alert(1)</script>&ادفع' });
    const name = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;ادفع';
    expect(svg).toContain(`role="img" aria-label="${name}"`);
    expect(svg).not.toMatch(/<script|style|onload|href/);
  });

  const strange = ['', 'javascript:alert(1)', 'pay/link/x', 'mailto:noura@example.com'];
  it.each(strange)('of %j is refused, since it is no address of a shop', (address) => {
    expect(() => qrSvg(address, { label: 'Pay' })).toThrow(/payments\.payLink\(orderId\)/);
  });

  it('without a label is refused: a screen reader would say nothing', () => {
    expect(() => qrSvg('https://shop.example/', { label: ' ' })).toThrow(/label/);
    expect(() => qrSvg('https://shop.example/', {} as never)).toThrow(/label/);
  });
});
