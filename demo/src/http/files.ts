import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

const PUBLIC = fileURLToPath(new URL('../../public/', import.meta.url));

/** The two elements and the style that keeps their place, as the widget package ships them. */
const elements = {
  'pay-button.js': import.meta.resolve('@pay-button/widget/dist/pay-button.js'),
  'pay-status.js': import.meta.resolve('@pay-button/widget/dist/pay-status.js'),
  'reserve.css': import.meta.resolve('@pay-button/widget/dist/reserve.css'),
};

/** Serves the elements to the shop's pages. */
export function payElements(): Router {
  const router = Router();
  for (const [file, address] of Object.entries(elements)) {
    const path = fileURLToPath(address);
    router.get(`/${file}`, (_request, response) => {
      response.sendFile(path, { cacheControl: false, headers: { 'Cache-Control': 'no-cache' } });
    });
  }
  return router;
}

const HALF_A_YEAR_MS = 180 * 86_400_000;

/**
 * The shop's own style, scripts and drawings, and `security.txt` (RFC 9116): where to report a weakness
 * of the shop. A shop that is made from this one puts its own contact there. The file must expire, and
 * a file on disk would expire unseen.
 */
export function ownFiles(publicUrl: string, now: () => number): Router {
  const router = Router();
  router.get('/favicon.ico', (_request, response) => {
    response.sendFile(`${PUBLIC}favicon.svg`);
  });
  const securityText = '/.well-known/security.txt';
  router.get(securityText, (_request, response) => {
    const lines = [
      'Contact: mailto:security@shop.example',
      `Expires: ${new Date(now() + HALF_A_YEAR_MS).toISOString()}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${new URL(securityText, publicUrl).href}`,
    ];
    response.type('text/plain').send(`${lines.join('\n')}\n`);
  });
  router.use(express.static(PUBLIC, { index: false, redirect: false }));
  return router;
}
