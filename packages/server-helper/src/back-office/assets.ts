import { createHash } from 'node:crypto';
import type { Answer } from '../edges/http.ts';
import { script } from './script.ts';
import { style } from './style/style.ts';

/** A file that pages load; its address holds a hash of it, so that a browser keeps it for ever. */
interface Asset {
  readonly address: string;
  readonly type: string;
  readonly text: string;
}

const asset = (ending: string, type: string, text: string): Asset => {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { address: `assets/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
};

/** The one style sheet and the one script, by the names that the layout uses. */
export const assets = {
  style: asset('css', 'text/css', style),
  script: asset('js', 'text/javascript', script),
} as const;

/** The answer for the address of an asset; `null` for another address. */
export function assetAt(address: string): Answer | null {
  const found = Object.values(assets).find((one) => one.address === address);
  if (found === undefined) return null;
  const headers = {
    'content-type': found.type,
    'cache-control': 'private, max-age=31536000, immutable',
  };
  return { status: 200, headers, text: found.text };
}
