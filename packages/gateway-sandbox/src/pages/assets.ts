import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express from 'express';
import type { Router } from 'express';

/** The pages' own files; they lie beside the compiled and the source folder alike. */
const names = ['sandbox.css', 'checkout.js', 'favicon.svg'] as const;
export type AssetName = (typeof names)[number];

const assets: ReadonlyMap<AssetName, { body: Buffer; version: string }> = new Map(
  names.map((name) => {
    const body = readFileSync(new URL(`../../assets/${name}`, import.meta.url));
    const version = createHash('sha256').update(body).digest('base64url').slice(0, 10);
    return [name, { body, version }] as const;
  }),
);

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
