import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express from 'express';
import type { Router } from 'express';

/** The parts of every page's style, in the order in which they build on each other. */
const common = ['base', 'furniture', 'forms'] as const;

/** A shopper's page does not load the styles of the tools, nor a tool those of the shopper's pages. */
const styles = {
  'shopper.css': [...common, 'checkout', 'methods', 'drawer-and-challenge'],
  'tools.css': [...common, 'table', 'dashboard', 'inspector', 'views', 'drawings'],
} as const;

export type AssetName =
  | keyof typeof styles
  | 'checkout.js'
  | 'challenge.js'
  | 'current-state.js'
  | 'inspector.js'
  | 'favicon.svg';

const assets: ReadonlyMap<AssetName, { body: Buffer; version: string }> = new Map([
  asset('shopper.css', joined(styles['shopper.css'])),
  asset('tools.css', joined(styles['tools.css'])),
  asset('checkout.js', readAsset('checkout.js')),
  asset('challenge.js', readAsset('challenge.js')),
  asset('current-state.js', readAsset('current-state.js')),
  asset('inspector.js', readAsset('inspector.js')),
  asset('favicon.svg', readAsset('favicon.svg')),
]);

/** The address of a file. It contains a hash of the content, so the file may be cached for ever. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets.get(name)?.version ?? ''}`;
}

export function assetRoutes(): Router {
  const router = express.Router();
  for (const [name, { body }] of assets) {
    router.get(`/assets/${name}`, (_request, response) => {
      response
        .set({
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
        .type(name.slice(name.lastIndexOf('.')))
        .send(body);
    });
  }
  router.get('/favicon.ico', (_request, response) => {
    response.set('cache-control', 'public, max-age=86400').type('svg');
    response.send(assets.get('favicon.svg')?.body);
  });
  return router;
}

/** The path is the same from the compiled folder and from the source folder. */
function readAsset(path: string): Buffer {
  return readFileSync(new URL(`../../assets/${path}`, import.meta.url));
}

function joined(parts: readonly string[]): Buffer {
  return Buffer.concat(parts.map((part) => readAsset(`styles/${part}.css`)));
}

function asset(name: AssetName, body: Buffer) {
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  return [name, { body, version }] as const;
}
