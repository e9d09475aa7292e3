import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express from 'express';
import type { Router } from 'express';

/** The parts of the one style sheet, in the order in which they build on each other. */
const styleParts = [
  'frame',
  'checkout',
  'card-form',
  'methods',
  'test-drawer',
  'notice-and-challenge',
] as const;

/** The same for the pages of testers and merchants. */
const toolStyleParts = [
  'frame',
  'tools',
  'inspector',
  'inspector-tools',
  'payment-states',
  'timeline',
  'fidelity',
  'dashboard',
  'desk-forms',
] as const;

export type AssetName =
  | 'sandbox.css'
  | 'tools.css'
  | 'checkout.js'
  | 'challenge.js'
  | 'inspector.js'
  | 'favicon.svg';

const assets: ReadonlyMap<AssetName, { body: Buffer; version: string }> = new Map([
  asset('sandbox.css', styleSheet(styleParts)),
  asset('tools.css', styleSheet(toolStyleParts)),
  asset('checkout.js', readAsset('checkout.js')),
  asset('challenge.js', readAsset('challenge.js')),
  asset('inspector.js', readAsset('inspector.js')),
  asset('favicon.svg', readAsset('favicon.svg')),
]);

/** The address of a file, with its content in it: it may be cached for ever. */
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

/** The files lie beside the compiled and the source folder alike. */
function readAsset(path: string): Buffer {
  return readFileSync(new URL(`../../assets/${path}`, import.meta.url));
}

function styleSheet(parts: readonly string[]): Buffer {
  return Buffer.concat(parts.map((part) => readAsset(`styles/${part}.css`)));
}

function asset(name: AssetName, body: Buffer) {
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  return [name, { body, version }] as const;
}
